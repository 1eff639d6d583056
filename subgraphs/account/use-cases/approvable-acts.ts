import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { KeyApproval, PartnerKeys, RotatedApiKey } from '../../partners/keys/partner-keys.ts';
import type { MadeApiKey } from '../../partners/keys/record.ts';
import type { FourEyesAct } from '../../partners/tenants/four-eyes.ts';
import type { BulkReplay, BulkReplayInput, BulkReplays } from '../../webhooks/bulk-replay.ts';
import type { PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import type { PartnerService } from '../service.ts';
import type { OperationalEventsService } from './operational-events.ts';

/** The secrets that an act has made: its caller sees them, once. */
export interface ShownOnce {
  readonly key: string | null;
  readonly webhookSecret: string | null;
}

/** A mutation that may need an approval. */
export interface ApprovableAct<Input, Done> {
  /** The protected acts that this input needs; empty: it needs no approval. */
  needs(input: Input): readonly FourEyesAct[];
  /** Does the act; with an approval, in the transaction that ends the approval. */
  run(principal: Principal, input: Input, approval?: KeyApproval): Promise<Result<Done>>;
  shownOnce(done: Done): ShownOnce;
  /** Makes the input from JSON, which has no dates. Absent: it has none. */
  read?(stored: unknown): Input;
}

const NOTHING: ShownOnce = { key: null, webhookSecret: null };

interface ActsDeps {
  readonly keys: Pick<PartnerKeys, 'create' | 'rotate'>;
  readonly endpoints: Pick<PartnerEndpoints, 'create' | 'update' | 'remove' | 'rotateSecret'>;
  readonly partner: Pick<PartnerService, 'regenerateWebhookSecret' | 'updateWebhookConfig'>;
  readonly replays: Pick<BulkReplays, 'start'>;
  readonly operationalEvents: Pick<OperationalEventsService, 'update'>;
}

type Parameter<Of extends (...args: never[]) => unknown, Index extends number> = Parameters<Of>[Index];
type KeyInput = Parameter<PartnerKeys['create'], 1>;
type NewEndpoint = Parameter<PartnerEndpoints['create'], 1>;
type EndpointChange = Parameter<PartnerEndpoints['update'], 2> & { readonly id: string };
type SecretRotation = Parameter<PartnerEndpoints['rotateSecret'], 1>;
type ConfigChange = Parameter<PartnerService['updateWebhookConfig'], 1>;
type ReceiversChange = Parameter<OperationalEventsService['update'], 1>;
type Value<Of> = Of extends Promise<Result<infer Done>> ? Done : never;

/** The inputs and results of the mutations that may need an approval, by the names of the mutations. */
export interface ActTypes {
  createApiKey: [KeyInput, MadeApiKey];
  rotateApiKey: [{ readonly id: string; readonly overlapMinutes: number }, RotatedApiKey];
  regenerateWebhookSecret: [Readonly<Record<string, never>>, string];
  rotateWebhookSecret: [SecretRotation, Value<ReturnType<PartnerEndpoints['rotateSecret']>>];
  updateWebhookConfig: [ConfigChange, Value<ReturnType<PartnerService['updateWebhookConfig']>>];
  createWebhookEndpoint: [NewEndpoint, Value<ReturnType<PartnerEndpoints['create']>>];
  updateWebhookEndpoint: [EndpointChange, Value<ReturnType<PartnerEndpoints['update']>>];
  deleteWebhookEndpoint: [{ readonly id: string }, Value<ReturnType<PartnerEndpoints['remove']>>];
  updateOperationalEventsConfig: [ReceiversChange, Value<ReturnType<OperationalEventsService['update']>>];
  replayWebhookDeliveries: [BulkReplayInput, BulkReplay];
}

export type ActName = keyof ActTypes;
export type ApprovableActs = {
  readonly [Name in ActName]: ApprovableAct<ActTypes[Name][0], ActTypes[Name][1]>;
};

/** The mutations that may need an approval: the same functions do them with and without one. */
export function createApprovableActs(deps: ActsDeps): ApprovableActs {
  const { keys, endpoints, partner, replays, operationalEvents } = deps;
  return {
    createApiKey: {
      needs: () => ['CREATE_KEY'],
      run: (principal, input, approval) => keys.create(principal, input, approval),
      shownOnce: ({ key }) => ({ ...NOTHING, key }),
    },
    rotateApiKey: {
      needs: () => ['CREATE_KEY'],
      run: (principal, { id, overlapMinutes }, approval) =>
        keys.rotate(principal, id, overlapMinutes, approval),
      shownOnce: ({ key }) => ({ ...NOTHING, key }),
    },
    regenerateWebhookSecret: {
      needs: () => ['ROTATE_SECRET'],
      run: async (principal, _input, approval) =>
        succeed(await partner.regenerateWebhookSecret(principal, approval?.alongside)),
      shownOnce: (webhookSecret) => ({ ...NOTHING, webhookSecret }),
    },
    rotateWebhookSecret: {
      needs: () => ['ROTATE_SECRET'],
      run: ({ accountId }, input, approval) => endpoints.rotateSecret(accountId, input, approval?.alongside),
      shownOnce: ({ secret }) => ({ ...NOTHING, webhookSecret: secret }),
    },
    updateWebhookConfig: {
      needs: ({ webhookUrl, webhookSecret }) => [
        ...(webhookSecret === undefined ? [] : (['ROTATE_SECRET'] as const)),
        ...(webhookUrl === undefined ? [] : (['CHANGE_WEBHOOK_URL'] as const)),
      ],
      run: (principal, input, approval) => partner.updateWebhookConfig(principal, input, approval?.alongside),
      shownOnce: ({ madeSecret }) => ({ ...NOTHING, webhookSecret: madeSecret }),
    },
    createWebhookEndpoint: {
      needs: () => ['CHANGE_WEBHOOK_URL'],
      run: ({ accountId }, input, approval) => endpoints.create(accountId, input, approval?.alongside),
      shownOnce: ({ madeSecret }) => ({ ...NOTHING, webhookSecret: madeSecret }),
    },
    updateWebhookEndpoint: {
      needs: ({ url }) => (url === undefined ? [] : ['CHANGE_WEBHOOK_URL']),
      run: ({ accountId }, { id, ...input }, approval) =>
        endpoints.update(accountId, id, input, approval?.alongside),
      shownOnce: () => NOTHING,
    },
    deleteWebhookEndpoint: {
      needs: () => ['CHANGE_WEBHOOK_URL'],
      run: ({ accountId }, { id }, approval) => endpoints.remove(accountId, id, approval?.alongside),
      shownOnce: () => NOTHING,
    },
    updateOperationalEventsConfig: {
      needs: ({ url }) => (url === undefined ? [] : ['CHANGE_WEBHOOK_URL']),
      run: ({ accountId }, input, approval) =>
        operationalEvents.update(accountId, input, approval?.alongside),
      shownOnce: () => NOTHING,
    },
    replayWebhookDeliveries: {
      needs: () => ['BULK_REPLAY'],
      run: ({ accountId }, input, approval) => replays.start(accountId, input, approval?.alongside),
      shownOnce: () => NOTHING,
      read: readReplay,
    },
  };
}

/** The cast: it was stored as this input; only its times are texts in JSON. */
function readReplay(stored: unknown): BulkReplayInput {
  const { from, before, ...input } = stored as BulkReplayInput;
  return {
    ...input,
    ...(from == null ? {} : { from: new Date(from) }),
    ...(before == null ? {} : { before: new Date(before) }),
  };
}
