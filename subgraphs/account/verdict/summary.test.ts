import { describe, expect, test } from '@jest/globals';
import { VERDICT_CAUSES, VERDICT_DETAILS, type VerdictFacts } from '../../graph/verdict.ts';
import { keysOf } from '../../kernel/objects.ts';
import { type Reader, summarize } from './summary.ts';

/** A Thursday, 12:00 in UTC. */
const NOW = new Date('2026-11-26T12:00:00.000Z');
const EN: Reader = { language: 'EN', timeZone: 'UTC', now: NOW };
const ES: Reader = { ...EN, language: 'ES' };

const waiting: VerdictFacts = {
  cause: 'WAITING_FOR_PAYER',
  since: new Date('2026-11-24T09:00:00.000Z'),
  next: null,
  actBy: new Date('2026-11-29T13:00:00.000Z'),
  reason: null,
};

describe('a summary', () => {
  test('says since when, and when it expires', () => {
    expect(summarize(waiting, EN)).toBe('Waiting for the payer since Tuesday; expires in 3 days.');
    expect(summarize(waiting, ES)).toBe('En espera del pagador desde el martes; vence dentro de 3 días.');
  });

  test('says what the partner can do', () => {
    const declined: VerdictFacts = { ...waiting, cause: 'CARD_DECLINED', next: 'REQUEST_AGAIN', actBy: null };
    expect(summarize(declined, EN)).toBe(
      "Failed on Tuesday: the payer's card was declined, and the payer was not charged. This payment has ended; another card works only for a new request. Your server must send a new request with a new id.",
    );
    expect(summarize(declined, ES)).toBe(
      'Falló el martes: la tarjeta del pagador fue rechazada y no se le cobró nada. Este pago terminó; otra tarjeta solo sirve para una solicitud nueva. Su servidor debe enviar una solicitud nueva con un id nuevo.',
    );
  });

  test.each(['EXPIRED', 'CANCELLED', 'CANCELLED_BY_PARTNER'] as const)(
    'of %s says how to repeat the request, unless support has to act first',
    (cause) => {
      const ended: VerdictFacts = { ...waiting, cause, actBy: null };
      expect(summarize(ended, EN)).toMatch(
        /\. If the money is still needed, your server must send a new request with a new id\.$/,
      );
      expect(summarize({ ...ended, next: 'CONTACT_SUPPORT' }, EN)).toMatch(
        /\. Contact the support of the platform\. Do not request the money again\.$/,
      );
    },
  );

  test('has the sentence of a detail in place of that of its cause', () => {
    const held: VerdictFacts = {
      ...waiting,
      ...{ cause: 'UNDER_REVIEW', detail: 'HELD_AFTER_PAYMENT', reason: 'Large sum', actBy: null },
      next: 'ASK_OPERATOR',
    };
    expect(summarize(held, EN)).toBe(
      'Held for review by the platform since Tuesday: Large sum. The payer has already paid. Do not request the money again. For questions, contact the support of the platform.',
    );
  });

  test.each([
    ['2026-11-26T09:05:00.000Z', 'since 09:05', 'desde las 09:05'],
    ['2026-11-26T01:05:00.000Z', 'since 01:05', 'desde la 01:05'],
    ['2026-11-25T23:59:00.000Z', 'since Wednesday', 'desde el miércoles'],
    ['2026-11-20T12:00:00.000Z', 'since Friday', 'desde el viernes'],
    ['2026-11-19T12:00:00.000Z', 'since 19 November', 'desde el 19 de noviembre'],
    ['2025-03-02T12:00:00.000Z', 'since 2 March 2025', 'desde el 2 de marzo de 2025'],
  ])('%s: %s', (since, en, es) => {
    const facts: VerdictFacts = { ...waiting, since: new Date(since), actBy: null };
    expect(summarize(facts, EN)).toBe(`Waiting for the payer ${en}.`);
    expect(summarize(facts, ES)).toBe(`En espera del pagador ${es}.`);
  });

  test('keeps the mark with which a reason ends', () => {
    const failed: VerdictFacts = { ...waiting, cause: 'PAYMENT_FAILED', actBy: null, reason: 'Why not?' };
    expect(summarize(failed, EN)).toBe('The payment failed on Tuesday: Why not? No money arrived.');
  });

  test('goes by the calendar of the reader', () => {
    const facts: VerdictFacts = { ...waiting, since: new Date('2026-11-26T03:00:00.000Z'), actBy: null };
    expect(summarize(facts, { ...EN, timeZone: 'America/Mexico_City' })).toContain('since Wednesday');
    expect(summarize(facts, { ...EN, timeZone: 'Asia/Tokyo' })).toContain('since 12:00');
  });

  test.each([
    [3 * 86_400_000 + 1, 'in 3 days'],
    [7 * 86_400_000 - 1_000, 'in 7 days'],
    [47 * 3_600_000, 'in 47 hours'],
    [90 * 60_000, 'in 90 minutes'],
    [10_000, 'in 1 minute'],
    [-10_000, 'in 1 minute'],
  ])('of %d ms that are left: %s', (ms, text) => {
    expect(summarize({ ...waiting, actBy: new Date(NOW.getTime() + ms) }, EN)).toContain(`expires ${text}.`);
  });

  test('quotes a reason in one line, bounded, and never as a placeholder', () => {
    const failed: VerdictFacts = { ...waiting, cause: 'REFUSED', actBy: null };
    const of = (reason: string) => summarize({ ...failed, reason }, EN);
    expect(of('No such bank.\nTry [{since}] again.')).toBe(
      'Failed on Tuesday: No such bank. Try [{since}] again.',
    );
    expect(of('x'.repeat(5_000))).toHaveLength('Failed on Tuesday: '.length + 161);
    for (const empty of [summarize(failed, EN), of(' '), of('!!.')]) {
      expect(empty).toBe('Failed on Tuesday.');
    }
    expect(of('Who? See a?.b for more')).toBe('Failed on Tuesday: Who? See a?.b for more.');
    expect(of('Which bank?')).toBe('Failed on Tuesday: Which bank?');
  });

  test.each<Pick<VerdictFacts, 'cause' | 'detail'>>([
    ...keysOf(VERDICT_CAUSES).map((cause) => ({ cause })),
    ...VERDICT_DETAILS.map((detail) => ({ cause: 'REFUSED' as const, detail })),
  ])('of %j has no placeholder left in any language', (state) => {
    for (const reader of [EN, ES]) {
      for (const facts of [waiting, { ...waiting, actBy: null, reason: 'Some reason' }]) {
        expect(summarize({ ...facts, ...state }, reader)).toMatch(/^[^[\]{}]{10,}\.$/);
      }
    }
  });
});
