import { Counter, type Registry } from 'prom-client';

/** Counts of operational events that a process has stored, by name, and of messages about them, by outcome. */
export interface OperationalSource {
  operationalEvents(): Readonly<Record<'raised' | 'mails', Readonly<Record<string, number>>>>;
}

/** Metrics of operational events. Labels are names and outcomes, never partners. */
export function addOperationalFigures(registry: Registry, sources: OperationalSource): void {
  const registers = [registry];
  new Counter({
    name: 'operational_events_total',
    help: 'Operational events that this process has stored for partners, by name',
    labelNames: ['event'],
    registers,
    collect() {
      this.reset();
      for (const [event, count] of Object.entries(sources.operationalEvents().raised)) {
        this.inc({ event }, count);
      }
    },
  });
  new Counter({
    name: 'operational_mails_total',
    help: 'Messages about operational events that this process has sent, by outcome: refused and deferred are answers about an address or a message, failed about the server; givenUp counts events that no message could be sent for in 3 days',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(sources.operationalEvents().mails)) {
        this.inc({ outcome }, count);
      }
    },
  });
}
