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

test('MongoDB gets one list of values', () => {
  expect(withAnyOf(petsOn({ version: '8.0.4' }), { owner: 'ana' }, 'name', ['rex', 'tom'])).toEqual({
    owner: 'ana',
    name: { $in: ['rex', 'tom'] },
  });
});

test('SecantusDB gets a branch for each value, and a list of one', () => {
  const pets = petsOn({ version: '8.2.11', secantusVersion: '0.5.3' });
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
});
