import { isSpanContextValid, type Tracer, trace } from '@opentelemetry/api';

const NAME = 'remitgraph';

/** The tracer of an SDK: only an SDK gives spans an identity. The probe is never ended, so it is not exported. */
export function registeredTracer(): Tracer | undefined {
  const tracer = trace.getTracer(NAME);
  const probe = tracer.startSpan('probe', { root: true });
  return isSpanContextValid(probe.spanContext()) ? tracer : undefined;
}
