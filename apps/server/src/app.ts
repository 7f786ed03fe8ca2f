import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import type { Context } from './context.ts'
import { answerHubConnections } from './gateway/hub-upgrade.ts'
import { tagAnswers } from './http/conditional.ts'
import { dashboardRoutes } from './http/dashboard.ts'
import { announceDeprecations } from './http/deprecation.ts'
import { answerError, answerUnknownRoutes } from './http/error-handler.ts'
import { guardRoutes } from './http/guard.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoute } from './http/metrics.ts'
import { apiPrefix, describeApi } from './http/openapi.ts'
import { referencePage } from './http/reference-page.ts'
import type { App } from './http/types.ts'
import { makeValidatorCompiler } from './http/validation.ts'
import { analyticsRoutes } from './modules/analytics/analytics.routes.ts'
import { colorRoutes } from './modules/colors/colors.routes.ts'
import { fileRoutes } from './modules/files/files.routes.ts'
import { hubFileRoutes } from './modules/files/hub-files.routes.ts'
import { joinRoutes } from './modules/hubs/hub-join.routes.ts'
import { hubRoutes } from './modules/hubs/hubs.routes.ts'
import { inventoryRoutes } from './modules/inventory/inventory.routes.ts'
import { followPrinters } from './modules/jobs/follow-printer.ts'
import { jobRoutes } from './modules/jobs/jobs.routes.ts'
import { orderRoutes } from './modules/orders/orders.routes.ts'
import { printerControlRoutes } from './modules/printers/printer-control.routes.ts'
import { printerRoutes } from './modules/printers/printers.routes.ts'
import { productImageRoutes } from './modules/product-images/product-images.routes.ts'
import { servedImageRoutes } from './modules/product-images/served-images.routes.ts'
import { productRoutes } from './modules/products/products.routes.ts'
import { skuRoutes } from './modules/skus/skus.routes.ts'
import { wikiRoutes } from './modules/wiki/wiki.routes.ts'
import { worklistRoutes } from './modules/worklist/worklist.routes.ts'

/** Largest JSON body. Raw uploads have a limit of their own on their route. */
const bodyLimitBytes = 1024 * 1024

/** Version of the API description; the path prefix carries the major. */
const apiVersion = '1.0.0'

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/** The one visible list of what the service consists of. It listens on nothing yet. */
export async function buildApp(context: Context): Promise<App> {
  const app: App = Fastify({
    loggerInstance: context.log,
    bodyLimit: bodyLimitBytes,
    genReqId: readRequestId,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    frameworkErrors: answerError,
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(makeValidatorCompiler())
  app.setErrorHandler(answerError)
  acceptEmptyJson(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.header('Cache-Control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, never the address itself: an upload address is a secret.
    const route = request.routeOptions.url ?? 'unknown'
    request.log.debug(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })

  answerUnknownRoutes(app)
  guardRoutes(app, context)
  tagAnswers(app)
  announceDeprecations(app)
  await describeApi(app, apiVersion)

  await app.register(
    async (api) => {
      const routes = api as App
      routes.get('/openapi.json', { config: { credential: 'none' } }, async () => app.swagger())
      printerRoutes(routes, context)
      printerControlRoutes(routes, context)
      jobRoutes(routes, context)
      fileRoutes(routes, context)
      hubRoutes(routes, context)
      productRoutes(routes, context)
      productImageRoutes(routes, context)
      skuRoutes(routes, context)
      colorRoutes(routes, context)
      inventoryRoutes(routes, context)
      orderRoutes(routes, context)
      worklistRoutes(routes, context)
      analyticsRoutes(routes, context)
      wikiRoutes(routes, context)
    },
    { prefix: apiPrefix },
  )
  joinRoutes(app, context)
  hubFileRoutes(app, context)
  servedImageRoutes(app, context)
  healthRoutes(app, context)
  metricsRoute(app, context)
  await referencePage(app)
  await dashboardRoutes(app)
  answerHubConnections(app, context)
  followPrinters(context)
  return app
}

function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID()
}

/** A POST without a body may still say that its body is JSON: many clients always do. */
function acceptEmptyJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // Anything but JSON is refused by its type, not misread as a text.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body, done)
  })
}

/** What is not even HTTP gets an envelope too, and its connection is closed. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: NodeJS.WritableStream & { destroy(): void }): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const body = JSON.stringify({
      success: false,
      error: { code: 'VALIDATION_ERROR', message: 'The request is not valid HTTP.' },
    })
    socket.write(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}
