import { timingSafeEqual } from 'node:crypto'
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { isFromThisMachine } from '../http/request/own-origin.ts'
import type { App } from '../http/types.ts'
import { AppError } from '../kernel/errors.ts'
import { hashSecret } from '../kernel/hash-secret.ts'
import { processMetrics } from './process-metrics.ts'

/**
 * `/metrics` for Prometheus: with PRINTYARD_METRICS_TOKEN, or without one from this machine under a loopback name. Routes are
 * labelled by pattern.
 */
export function metricsRoute(app: App, context: Context): void {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'printyard_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'printyard_hubs_connected',
    help: 'Hubs with a live connection',
    registers: [registry],
    collect() {
      this.set(context.hubs.connectedCount())
    },
  })

  new Counter({
    name: 'printyard_printer_reports_total',
    help: 'Reports of printers that hubs brought to this process',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(context.printers.reportsTaken)
    },
  })

  app.addHook('onResponse', (request, reply, done) => {
    // What the framework refuses by itself has no route.
    const route = (request.route as typeof request.route | undefined)?.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })

  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!canReadMetrics(request, context.config.metricsToken)) {
      throw new AppError('INSUFFICIENT_SCOPE', {}, { message: 'Metrics are for this machine only.' })
    }
    return reply.type(registry.contentType).send(await Registry.merge([processMetrics(), registry]).metrics())
  })
}

function canReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const sent = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined) return sent !== undefined && timingSafeEqual(hashSecret(sent), hashSecret(token))
  return isFromThisMachine(request)
}
