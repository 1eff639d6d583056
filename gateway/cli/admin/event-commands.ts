import { MOST_PARTITIONS } from '../../../subgraphs/kernel/config/work-settings.ts';
import { type Command, optionWith, requiredText } from './command.ts';

/** The division of the event log. */
export const EVENT_COMMANDS: Readonly<Record<string, Command>> = {
  'events partition': {
    isAct: true,
    summary: 'Divide the event log into another number of partitions; stop all servers first',
    options: { count: optionWith('N', `How many: 1 to ${MOST_PARTITIONS}.`) },
    required: ['count'],
    examples: ['events partition --count 128'],
    run: async ({ eventDivision }, values) => {
      const count = Number(requiredText(values, 'count'));
      const before = await eventDivision.repartition(count);
      return {
        rows: [{ before, after: count }],
        next: [`Set EVENT_LOG_PARTITIONS=${count} for all servers, and start them.`],
        act: { subject: 'event log', before: { partitions: before }, after: { partitions: count } },
      };
    },
  },
};
