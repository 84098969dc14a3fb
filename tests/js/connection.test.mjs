// A page says that the server does not answer after five seconds, by Streamlit's own state or by the silence.
import { test } from "node:test";
import assert from "node:assert/strict";
import { SILENT, isSilent } from "../../assets/js/player/connection.js";

test("a page is not connected once the server or one of its islands has been silent for five seconds", () => {
  assert.equal(isSilent(SILENT, null, []), false);
  assert.equal(isSilent(SILENT, 0, []), false);
  assert.equal(isSilent(SILENT + 1, 0, []), true);
  assert.equal(isSilent(SILENT + 1, null, [1, SILENT]), false);
  assert.equal(isSilent(SILENT + 2, null, [1, SILENT]), true);
});
