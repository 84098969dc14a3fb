// What Python sends a player while its page is open. Python sends its last answer again with every rerun; each is taken once.

export function createSent(player, { drawn, text, draw }) {
  let version = "";
  let answered = 0;
  let turn = null;

  function take(what) {
    if (what.moving && String(what.moving.version) !== version) {
      version = String(what.moving.version);
      player.update(what.moving);
    }
    if (what.number && what.number !== answered) {
      answered = what.number;
      if (what.stretches) text.sent(what.stretches);
      if (what.picture) {
        player.frames.picture = what.picture;
        drawn.load();
        draw();
      }
    }
    if ("until" in what && what.until !== player.until) {
      player.until = what.until;
      draw();
    }
    if (what.goto && what.goto.turn !== turn) {
      turn = what.goto.turn;
      player.go(what.goto.at);
    }
    if ("lanes" in what) {
      player.lanes = what.lanes;
      draw();
    }
    if ("stops" in what && JSON.stringify(what.stops) !== JSON.stringify(player.frames.stops)) {
      player.frames.stops = what.stops;
      draw();
    }
    if ("labelled" in what) {
      player.labelled = what.labelled;
      player.selected = what.selected;
      draw();
    }
    if ("known" in what && JSON.stringify(what.known) !== JSON.stringify(player.known)) {
      player.known = what.known;
      draw();
      if (player.known) text.showKnown();
    }
  }

  // The page was redrawn: accept again what was sent before.
  function again() {
    answered = 0;
  }

  return { take, again };
}
