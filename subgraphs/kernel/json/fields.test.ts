import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkedLater } from './fields.ts';

test('a property that is checked later passes, whatever its value, absent too', () => {
  const shape = z.object({ name: checkedLater('A name.') });
  for (const value of [{ name: 'Ana' }, { name: 7 }, { name: null }, { name: undefined }, {}]) {
    expect(shape.safeParse(value).success).toBe(true);
  }
});
