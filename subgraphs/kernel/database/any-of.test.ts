import { expect, test } from '@jest/globals';
import mongoose, { Schema } from 'mongoose';
import { noteServer, withAnyOf } from './any-of.ts';

interface Pet {
  owner: string;
  name: string;
}

function petsOn(build: Readonly<Record<string, unknown>>) {
  const connection = mongoose.createConnection();
  noteServer(connection, build);
  return connection.model<Pet>('Pet', new Schema<Pet>({ owner: String, name: String }));
}

test.each([
  ['MongoDB', { version: '8.0.4' }],
  ['SecantusDB in Python', { version: '8.2.11', secantusVersion: '0.7.0' }],
])('%s gets one list of values', (_name, build) => {
  expect(withAnyOf(petsOn(build), { owner: 'ana' }, 'name', ['rex', 'tom'])).toEqual({
    owner: 'ana',
    name: { $in: ['rex', 'tom'] },
  });
});

test('SecantusDB in Rust gets a branch for each of 2 to 32 values, and a list of one or of more', () => {
  const pets = petsOn({ version: '8.2.11', secantusVersion: '0.5.3', buildEnvironment: { cc: 'rustc' } });
  expect(withAnyOf(pets, { owner: 'ana' }, 'name', ['rex', 'tom'])).toEqual({
    $or: [
      { owner: 'ana', name: 'rex' },
      { owner: 'ana', name: 'tom' },
    ],
  });
  expect(withAnyOf(pets, { owner: 'ana' }, 'name', ['rex'])).toEqual({
    owner: 'ana',
    name: { $in: ['rex'] },
  });
  const many = Array.from({ length: 33 }, (_, index) => `pet ${index}`);
  expect(withAnyOf(pets, { owner: 'ana' }, 'name', many.slice(1))).toHaveProperty('$or.length', 32);
  expect(withAnyOf(pets, { owner: 'ana' }, 'name', many)).toEqual({ owner: 'ana', name: { $in: many } });
});
