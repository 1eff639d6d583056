import { Field, ID, InputType, ObjectType, Resolver } from 'type-graphql';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { inSandboxOnly } from '../../graph/sandbox-only.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { andThen } from '../../kernel/errors/result.ts';
import type { CipStatus as Status } from '../../users/index.ts';
import { readSimulatedCip, readSimulatedRaise } from '../commands/link-commands.ts';
import type { LinkSimulation } from '../service.ts';
import { DataRequest, presentDataRequest } from './data-request.type.ts';
import { Link, type PresentLink, User } from './link.type.ts';

const CipStatus = textEnum<Status>('CipStatus', "State of a user's identity check.", {
  pending: 'Not started, or in progress.',
  verified: 'The identity is verified.',
  failed: 'The check failed.',
});

@InputType({ description: 'A link of the sandbox that its user opens.' })
class SimulateLinkOpenedInput {
  @Field(() => ID, { description: 'The linkId.' })
  linkId!: string;
}

@InputType({ description: 'A result of an identity check of the sandbox.' })
class SimulateCipInput {
  @Field(() => ID, { description: 'Id of the user: userId in the REST APIs.' })
  userId!: string;

  @Field(() => CipStatus, { description: 'The new state of the identity check.' })
  status!: Status;

  @Field(() => String, { nullable: true, description: 'The checker, 1 to 255 characters.' })
  provider?: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Details that the checker reports beside the status; at most 16 KiB and 16 levels.',
  })
  result?: Readonly<Record<string, unknown>> | null;
}

@InputType({ description: 'A request of the sandbox for more data of a user.' })
class SimulateDataRequestInput {
  @Field(() => ID, { description: 'Id of the link that needs more user data.' })
  linkId!: string;

  @Field(() => [String], {
    description:
      'Fields to request, 1 to 100: some of name, idType, idNumber, dob, paymentMethod and idImage.',
  })
  fields!: string[];
}

@ObjectType({ description: 'The opened link, or why the mutation failed.' })
class SimulateLinkOpenedPayload extends payloadType('link', Link, 'The link; null on failure.') {}

@ObjectType({ description: 'The user after a simulated identity check, or why the mutation failed.' })
class SimulateCipPayload extends payloadType('user', User, 'The user; null on failure.') {}

@ObjectType({ description: 'The simulated data request, or why the mutation failed.' })
class SimulateDataRequestPayload extends payloadType(
  'dataRequest',
  DataRequest,
  'The data request; null on failure.',
) {}

/** The acts of the platform and of end users that a partner simulates in the sandbox. */
@Resolver()
export class LinkSimulationMutations {
  constructor(private readonly deps: { links: LinkSimulation; present: PresentLink }) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => SimulateLinkOpenedPayload,
    graphql: {
      description:
        'Sandbox only: opens a link, as its user does, with the same activity. Repeating the call has no effect. Fails with SANDBOX_ONLY for a live key.',
      input: { type: () => SimulateLinkOpenedInput, description: 'The link to open.' },
    },
    rest: {
      field: 'simulateLinkOpenedById',
      description: 'POST /v1/sandbox/links/{linkId}/open.',
      body: 'none',
    },
    ids: { linkId: { argument: 'linkId', description: 'The link of the path.' } },
  })
  async simulateLinkOpened({ principal, ids }: MutationCall<'linkId'>): Promise<SimulateLinkOpenedPayload> {
    const opened = await inSandboxOnly(principal, () => this.deps.links.open(principal, ids.linkId));
    return toPayload('link', opened, this.deps.present);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => SimulateCipPayload,
    graphql: {
      description:
        "Sandbox only: sets the state of a user's identity check, as the platform does, with the same activities of links. VERIFIED can be taken back. Fails with SANDBOX_ONLY for a live key.",
      input: { type: () => SimulateCipInput, description: 'The user and the result of the check.' },
    },
    rest: {
      field: 'simulateCipFromJson',
      description: 'POST /v1/sandbox/users/{userId}/cip: the body as it was sent.',
    },
    ids: { userId: { argument: 'userId', description: 'The user of the path.' } },
  })
  async simulateCip({ principal, ids, body }: MutationCall<'userId'>): Promise<SimulateCipPayload> {
    const updated = await inSandboxOnly(principal, () =>
      andThen(readSimulatedCip(body), (check) => this.deps.links.updateCip(principal, ids.userId, check)),
    );
    return toPayload('user', updated, ({ userId }) => ({ id: userId }));
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => SimulateDataRequestPayload,
    graphql: {
      description:
        'Sandbox only: requests more data of a user, as the platform does, by the webhook `user.data_request`. Answer it with `fulfilDataRequest`. Fails with SANDBOX_ONLY for a live key.',
      input: { type: () => SimulateDataRequestInput, description: 'The link, and the fields to request.' },
    },
    rest: {
      field: 'simulateDataRequestFromJson',
      description: 'POST /v1/sandbox/data-requests: the body as it was sent.',
    },
  })
  async simulateDataRequest({ principal, body }: MutationCall): Promise<SimulateDataRequestPayload> {
    const raised = await inSandboxOnly(principal, () =>
      andThen(readSimulatedRaise(body), (request) => this.deps.links.raise(principal, request)),
    );
    return toPayload('dataRequest', raised, presentDataRequest);
  }
}
