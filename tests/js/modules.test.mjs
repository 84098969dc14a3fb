// Every module of assets/js loads: its syntax holds, and what it imports is there.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

const root = new URL("../../assets/js/", import.meta.url);
const modules = readdirSync(root, { recursive: true }).filter((path) => path.endsWith(".js"));

test("every module loads", async () => {
  assert.ok(modules.length > 30);
  for (const path of modules) await import(new URL(path, root));
});
