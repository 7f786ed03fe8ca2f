import type { RequestListener, ServerOptions } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import type { Context } from './context/context.ts'
import { answerHubConnections, isForHubs } from './gateway/hub-upgrade.ts'
import { tagAnswers } from './http/conditional.ts'
import { boundConnections, connectionsOf } from './http/connections/open-connections.ts'
import { announceDeprecations } from './http/deprecation.ts'
import { answerError } from './http/error-handler.ts'
import { apiDocumentRoute } from './http/openapi/api-document.ts'
import { type Audience, apiPrefix, describeApi } from './http/openapi/openapi.ts'
import { refuseWithoutExamples, sessionPrefix } from './http/openapi/route-rules.ts'
import { certificateRoutes } from './http/pages/certificate-page.ts'
import { openDashboard } from './http/pages/dashboard.ts'
import { makePlainDoor } from './http/pages/plain-door.ts'
import { answerUnknownRoutes } from './http/pages/unknown-routes.ts'
import { endAbsentBodies } from './http/request/absent-bodies.ts'
import { refuseEncodedBodies } from './http/request/body-encoding.ts'
import { answerBrokenRequest, ignoreExpectations, refuseHostless } from './http/request/broken-requests.ts'
import { makeCommonHeaders } from './http/request/browser-headers.ts'
import { lookFirst } from './http/request/first-looks.ts'
import { dropStreamsOfHeads, restoreHead, routeHeadAsGet } from './http/request/head-requests.ts'
import { readJsonBodies, renameOddTypes } from './http/request/json-body.ts'
import { refuseForeignFilters } from './http/request/known-filters.ts'
import { logRefusals } from './http/request/log-refusals.ts'
import { refuseOtherHosts } from './http/request/own-host.ts'
import { takeTurnsToRead } from './http/request/read-turns.ts'
import { makeRequestIds } from './http/request/request-ids.ts'
import { logOfRequest } from './http/request/request-log.ts'
import { makeSerializerBuilder } from './http/request/shared-compilers.ts'
import { endStalledBodies } from './http/request/stalled-bodies.ts'
import { isUrlTooLong, mostHeadBytes, refuseLongHeads, urlTooLong } from './http/request/too-long.ts'
import { makeValidatorCompiler } from './http/request/validation.ts'
import { longestId } from './http/schema.ts'
import type { App } from './http/types.ts'
import { readNetworks } from './kernel/trusted-proxies.ts'
import { automate } from './modules/automation/engine/follow-events.ts'
import { servedImageRoutes } from './modules/catalogue/images/served-images.routes.ts'
import { type EventStreams, openEventStreams } from './modules/event-stream/event-streams.ts'
import { pictureFailures } from './modules/failures/pictures/follow-failures.ts'
import { hubFileRoutes } from './modules/files/hub-files.routes.ts'
import { followHealth } from './modules/health/follow-health.ts'
import { followConditions } from './modules/health/printer-conditions.ts'
import { joinRoutes } from './modules/hubs/hub-join.routes.ts'
import { followPrinters } from './modules/jobs/life/follow-printer.ts'
import { followSight } from './modules/jobs/life/follow-sight.ts'
import { followSpoolman } from './modules/materials/spoolman/sync/follow-spoolman.ts'
import { publishToBrokers } from './modules/mqtt/runner/broker-runner.ts'
import { notifyPeople } from './modules/notifications/delivery/follow-events.ts'
import { followPicks } from './modules/orders/pick/follow-picks.ts'
import { guardRoutes } from './modules/people/guard/guard.ts'
import { followDemand } from './modules/planning/planner.ts'
import { followPlans } from './modules/promises/forecaster.ts'
import { scheduleJobs } from './modules/scheduler/scheduler.service.ts'
import { shopHookRoutes } from './modules/shops/hooks/hook.routes.ts'
import { followShops } from './modules/shops/sync/follow-shops.ts'
import { slicerRoutes } from './modules/slicers/slicers.routes.ts'
import { followPrinterTime } from './modules/timeline/follow-printer-time.ts'
import { deliverEvents } from './modules/webhooks/delivery/follow-events.ts'
import { metricsRoute } from './operations/metrics.ts'
import { probeRoutes } from './operations/probes.ts'
import { type DescribeRoutes, domainRoutes, peopleRoutes } from './routes.ts'
import { createOnePortServer, type ServerTimes } from './tls/one-port.ts'

/** Largest JSON body of those who are known. Raw uploads have a limit of their own on their route. */
const bodyLimitBytes = 1024 * 1024

/** Version of the API description; the path prefix carries the major. */
const apiVersion = '1.0.0'

const http: ServerOptions = {
  // Missed by us instead, so that the refusal is in the envelope.
  requireHostHeader: false,
  // What has no body is no stream that has to be read to its end and closed (decision 0097).
  optimizeEmptyRequests: true,
  maxHeaderSize: mostHeadBytes,
  // Clients may offer another protocol with any request, as Java's does with h2c: they are answered in this one.
  shouldUpgradeCallback: isForHubs,
}

/** The one visible list of what the service consists of. It listens on nothing yet. */
export async function buildApp(
  context: Context,
  { audience, bodyStallMs }: { audience?: Audience; bodyStallMs?: number } = {},
): Promise<App> {
  const { certificate } = context
  const addCommonHeaders = makeCommonHeaders(context.config)
  const app: App = Fastify({
    loggerInstance: context.log,
    childLoggerFactory: logOfRequest,
    bodyLimit: bodyLimitBytes,
    // As long as an ID may be by the schemas: the longest slug is longer than what the router takes by itself.
    routerOptions: { maxParamLength: longestId },
    // Else what a request says of where it comes from is only what it says.
    trustProxy: readNetworks(context.config.trustedProxies ?? ''),
    // A small or busy machine may take longer than the ten seconds of the framework to load what the service consists of.
    pluginTimeout: 60_000,
    genReqId: makeRequestIds(),
    exposeHeadRoutes: false,
    rewriteUrl: routeHeadAsGet,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // Raised before any hook runs.
    frameworkErrors: (error, request, reply) => {
      addCommonHeaders(request, reply)
      return answerError(isUrlTooLong(request.raw) ? urlTooLong() : error, request, reply)
    },
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    // What comes while the server closes, on a connection that was taken before, is answered as ever; the connection ends after it.
    return503OnClosing: false,
    http,
    ...(certificate !== undefined && {
      serverFactory: (answer: RequestListener, settings: ServerTimes) =>
        createOnePortServer({
          certificate,
          http,
          times: settings,
          answer,
          answerPlain: makePlainDoor(context.config, certificate),
        }),
    }),
    schemaController: { compilersFactory: { buildSerializer: makeSerializerBuilder() } },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(makeValidatorCompiler())
  app.setErrorHandler(answerError)
  readJsonBodies(app)
  refuseEncodedBodies(app)
  endAbsentBodies(app)
  ignoreExpectations(app)
  refuseForeignFilters(app)
  // No DELETE takes a body: one that comes anyway is ignored, as with GET.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  const dashboard = openDashboard()
  const connections = connectionsOf(context)
  // Hooks of every request call back: what they do takes less than to make and await a promise.
  lookFirst(app, [
    restoreHead,
    (request, reply) => connections.begin(request.raw, reply.raw),
    renameOddTypes,
    addCommonHeaders,
    refuseHostless,
    refuseLongHeads,
    refuseOtherHosts(context.config),
    endStalledBodies(bodyStallMs),
    answerUnknownRoutes(app, dashboard.answerPage),
    // Who asks next is to ask another process.
    (_request, reply) => {
      if (context.isDraining()) void reply.header('connection', 'close')
    },
  ])
  if (context.log.level === 'debug' || context.log.level === 'trace') {
    app.addHook('onResponse', (request, reply, done) => {
      // The pattern, never the address itself: an upload address is a secret.
      const route = request.routeOptions.url ?? 'unknown'
      request.log.debug(
        { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      )
      done()
    })
  }

  logRefusals(app, context)
  guardRoutes(app, context)
  boundConnections(app, context)
  if (audience !== undefined) refuseWithoutExamples(app)
  takeTurnsToRead(app)
  tagAnswers(app)
  dropStreamsOfHeads(app)
  announceDeprecations(app)
  await describeApi(app, apiVersion, audience)
  const streams = openEventStreams(app, context)

  await app.register(
    async (plugin) => {
      const routes = plugin as App
      apiDocumentRoute(routes, () => app.swagger())
      await describe(routes, context, streams, domainRoutes)
    },
    { prefix: apiPrefix },
  )
  await app.register(
    async (plugin) => {
      const routes = plugin as App
      await describe(routes, context, streams, [...peopleRoutes, ...domainRoutes])
    },
    { prefix: sessionPrefix },
  )
  joinRoutes(app, context)
  hubFileRoutes(app, context)
  servedImageRoutes(app, context)
  slicerRoutes(app, context)
  shopHookRoutes(app, context)
  probeRoutes(app, context)
  metricsRoute(app, context)
  if (certificate !== undefined) certificateRoutes(app, certificate)
  await dashboard.routes(app)
  answerHubConnections(app, context)
  followPrinters(context)
  followSight(context)
  followPrinterTime(app, context)
  followHealth(context)
  followConditions(context)
  followDemand(app, context)
  followPlans(app, context)
  scheduleJobs(app, context)
  followPicks(app, context)
  deliverEvents(app, context)
  notifyPeople(app, context)
  pictureFailures(app, context)
  automate(app, context)
  followShops(app, context)
  publishToBrokers(app, context)
  followSpoolman(app, context)
  return app
}

/** Describes routes in turns with all else that waits: with the database of a data directory, which starts meanwhile and is asked then. */
async function describe(
  routes: App,
  context: Context,
  streams: EventStreams,
  descriptions: readonly DescribeRoutes[],
): Promise<void> {
  for (const describeRoutes of descriptions) {
    describeRoutes(routes, context, streams)
    await nextTurn()
  }
}
