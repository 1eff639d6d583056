import { createRequire } from 'node:module';
import { test } from '@jest/globals';

const require = createRequire(import.meta.url);
const { composeServices } = require('@theguild/federation-composition');
const { QueryPlanner } = require('@graphql-hive/router-query-planner');

import { readFileSync } from 'node:fs';
import { parse } from 'graphql';

test('x', () => {
  const src = readFileSync('gateway/engine.federation.test.ts', 'utf8');
  const sub: Record<string, string> = {};
  const block = src.slice(src.indexOf('subgraphs: {'), src.indexOf('resolvers: {'));
  for (const m of block.matchAll(/^ {6}(\w+): `([^`]*)`/gm))
    sub[m[1]!] = m[2]!.replace(/\\"/g, '\\"').replace(/\\\\"/g, '\\"');
  const L = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@requires", "@provides", "@external", "@inaccessible", "@override", "@interfaceObject", "@extends", "@tag"])\n`;
  const c = composeServices(
    Object.entries(sub).map(([name, s]) => ({
      name,
      url: '',
      typeDefs: parse(L + s.replace(/\\\\/g, '\\')),
    })),
  );
  if (c.errors) throw new Error(JSON.stringify(c.errors));
  const qp = new QueryPlanner(c.supergraphSdl);
  for (const q of [
    '{ best { product { shipping } author { friends { reviewed { product { shipping } } } } } }',
    '{ best { product { shipping volume name } } }',
    '{ best { product { shipping volume } } }',
    '{ best { product { shipping name } } }',
    '{ best { author { name tier friends { name reviewed { stars product { shipping } } } } } }',
    '{ best { author { tier friends { reviewed { product { shipping } } } } } }',
    '{ best { author { friends { reviewed { stars product { shipping } } } } } }',
    '{ me { friends { name reviewed { stars product { name } } } } }',
    '{ me { reviewed { product { shipping } } } }',
    '{ me { reviewed { product { name } } } }',
    '{ best { product { shipping } } }',
    '{ best { product { volume } } }',
    '{ best { product { volume shipping } } }',
    '{ best { product { volume box } } }',
    '{ products { reviews { product { shipping volume } } } }',
    '{ products { volume shipping } }',
  ]) {
    let out;
    try {
      qp.plan(q, null, new Set(), 0);
      out = 'ok';
    } catch (e) {
      out = String(e);
    }
    process.stdout.write(`### ${q}\n${out}\n`);
  }
});
