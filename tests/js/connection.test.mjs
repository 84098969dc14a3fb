// A page says that the server does not answer after five seconds, by Streamlit's own state or by the silence; and its scripts hear when
// a lost connection is there again.
import { mock, test } from "node:test";
import assert from "node:assert/strict";
import { CONNECTED, SILENT, isSilent, watchConnection } from "../../assets/js/player/connection.js";
import { openWindow } from "./browser.mjs";

test("a page is not connected once the server or one of its islands has been silent for five seconds", () => {
  assert.equal(isSilent(SILENT, null, []), false);
  assert.equal(isSilent(SILENT, 0, []), false);
  assert.equal(isSilent(SILENT + 1, 0, []), true);
  assert.equal(isSilent(SILENT + 1, null, [1, SILENT]), false);
  assert.equal(isSilent(SILENT + 2, null, [1, SILENT]), true);
});

test("after a loss what waits is sent once: when Python has drawn the page for its new session", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const app = { testConnectionState: "CONNECTED", testScriptState: "notRunning" };
  const window = openWindow();
  document.createElement = () => ({ setAttribute() {}, append() {} });
  document.querySelector = () => ({ dataset: app });
  document.querySelectorAll = () => [];
  globalThis.MutationObserver = class { observe() {} disconnect() {} };
  let heard = 0;
  window.addEventListener(CONNECTED, () => heard++);
  watchConnection();
  const after = ([testConnectionState, testScriptState]) => {
    Object.assign(app, { testConnectionState, testScriptState });
    mock.timers.tick(500);
    return heard;
  };
  const states = [["CONNECTED", "running"], ["PINGING_SERVER", "notRunning"], ["CONNECTED", "notRunning"], ["CONNECTED", "running"], ["CONNECTED", "notRunning"], ["CONNECTED", "notRunning"]];
  assert.deepEqual(states.map(after), [0, 0, 0, 0, 1, 1]);
  mock.timers.reset();
});
