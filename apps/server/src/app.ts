import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http'
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
import { logOfRequest } from './http/request/request-log.ts'
import { makeSerializerBuilder } from './http/request/shared-compilers.ts'
import { endStalledBodies } from './http/request/stalled-bodies.ts'
import { isUrlTooLong, mostHeadBytes, refuseLongHeads, urlTooLong } from './http/request/too-long.ts'
import { makeValidatorCompiler } from './http/request/validation.ts'
import { longestId } from './http/schema.ts'
import type { App } from './http/types.ts'
import { readNetworks } from './kernel/trusted-proxies.ts'
import { accountExportRoutes } from './modules/account-data/download/download.routes.ts'
import { analyticsRoutes } from './modules/analytics/analytics.routes.ts'
import { qualityRoutes } from './modules/analytics/quality/quality.routes.ts'
import { reportRoutes } from './modules/analytics/reports/reports.routes.ts'
import { assemblyRoutes } from './modules/assembly/assembly.routes.ts'
import { automate } from './modules/automation/engine/follow-events.ts'
import { automationRuleRoutes } from './modules/automation/rules/rules.routes.ts'
import { automationRunRoutes } from './modules/automation/runs/runs.routes.ts'
import { backupRoutes } from './modules/backups/backups.routes.ts'
import { bomRoutes } from './modules/catalogue/bom/bom.routes.ts'
import { colorRoutes } from './modules/catalogue/colors/colors.routes.ts'
import { servedImageRoutes } from './modules/catalogue/images/served-images.routes.ts'
import { inventoryRoutes } from './modules/catalogue/inventory/inventory.routes.ts'
import { productImageRoutes } from './modules/catalogue/products/product-images.routes.ts'
import { productRoutes } from './modules/catalogue/products/products.routes.ts'
import { recipeRoutes } from './modules/catalogue/recipes/recipes.routes.ts'
import { skuRoutes } from './modules/catalogue/skus/skus.routes.ts'
import { costRoutes } from './modules/costs/costs.routes.ts'
import { marginRoutes } from './modules/costs/report/margin.routes.ts'
import { costSettingsRoutes } from './modules/costs/settings/cost-settings.routes.ts'
import { type EventStreams, openEventStreams } from './modules/event-stream/event-streams.ts'
import { eventRoutes } from './modules/event-stream/events.routes.ts'
import { auditRoutes } from './modules/events/audit.routes.ts'
import { failureRoutes } from './modules/failures/failures.routes.ts'
import { pictureFailures } from './modules/failures/pictures/follow-failures.ts'
import { fileRoutes } from './modules/files/files.routes.ts'
import { hubFileRoutes } from './modules/files/hub-files.routes.ts'
import { worklistRoutes } from './modules/floor/worklist.routes.ts'
import { followHealth } from './modules/health/follow-health.ts'
import { followConditions } from './modules/health/printer-conditions.ts'
import { joinRoutes } from './modules/hubs/hub-join.routes.ts'
import { hubRoutes } from './modules/hubs/hubs.routes.ts'
import { followPrinters } from './modules/jobs/life/follow-printer.ts'
import { followSight } from './modules/jobs/life/follow-sight.ts'
import { jobPlanRoutes } from './modules/jobs/routes/job-plan.routes.ts'
import { jobRoutes } from './modules/jobs/routes/jobs.routes.ts'
import { forecastRoutes } from './modules/materials/forecast/forecast.routes.ts'
import { materialRoutes } from './modules/materials/materials.routes.ts'
import { materialSettingsRoutes } from './modules/materials/settings/material-settings.routes.ts'
import { spoolmanRoutes } from './modules/materials/spoolman/settings/spoolman.routes.ts'
import { followSpoolman } from './modules/materials/spoolman/sync/follow-spoolman.ts'
import { spoolTagRoutes } from './modules/materials/tags/spool-tags.routes.ts'
import { plugRoutes } from './modules/mqtt/plugs/plugs.routes.ts'
import { publishToBrokers } from './modules/mqtt/runner/broker-runner.ts'
import { brokerRoutes } from './modules/mqtt/settings/broker.routes.ts'
import { channelRoutes } from './modules/notifications/channels/channels.routes.ts'
import { notifyPeople } from './modules/notifications/delivery/follow-events.ts'
import { notificationRoutes } from './modules/notifications/log/notifications.routes.ts'
import { pushDeviceRoutes } from './modules/notifications/push/push-devices.routes.ts'
import { ruleRoutes } from './modules/notifications/rule-settings/rules.routes.ts'
import { takeRoutes } from './modules/notifications/take/take.routes.ts'
import { importRoutes } from './modules/orders/import/import.routes.ts'
import { listingMapRoutes } from './modules/orders/listings/listing-maps.routes.ts'
import { orderDetailRoutes } from './modules/orders/order-details.routes.ts'
import { orderRoutes } from './modules/orders/orders.routes.ts'
import { outRoutes } from './modules/orders/out/out.routes.ts'
import { followPicks } from './modules/orders/pick/follow-picks.ts'
import { pickRoutes } from './modules/orders/pick/picks.routes.ts'
import { orderSettingsRoutes } from './modules/orders/settings/order-settings.routes.ts'
import { accountRoutes } from './modules/people/accounts/account.routes.ts'
import { agentCallRoutes } from './modules/people/api-keys/agent-calls.routes.ts'
import { apiKeyRoutes } from './modules/people/api-keys/api-keys.routes.ts'
import { ownKeyRoutes } from './modules/people/api-keys/own-key.routes.ts'
import { guardRoutes } from './modules/people/guard/guard.ts'
import { invitationRoutes } from './modules/people/invitations/invitations.routes.ts'
import { memberChangeRoutes } from './modules/people/members/change-members.routes.ts'
import { memberRoutes } from './modules/people/members/members.routes.ts'
import { oidcRoutes } from './modules/people/oidc/oidc.routes.ts'
import { passwordRoutes } from './modules/people/password-resets/passwords.routes.ts'
import { shiftRoutes } from './modules/people/shifts/shifts.routes.ts'
import { passkeyRoutes } from './modules/people/sign-in/passkeys.routes.ts'
import { proofRoutes } from './modules/people/sign-in/proof.routes.ts'
import { sessionRoutes } from './modules/people/sign-in/sessions.routes.ts'
import { signInRoutes } from './modules/people/sign-in/sign-in.routes.ts'
import { totpRoutes } from './modules/people/sign-in/totp.routes.ts'
import { needsRoutes } from './modules/planning/needs/needs.routes.ts'
import { followDemand } from './modules/planning/planner.ts'
import { planningRoutes } from './modules/planning/planning.routes.ts'
import { snapshotRoutes } from './modules/printers/camera/snapshots.routes.ts'
import { deviceCommandRoutes } from './modules/printers/control/device-commands.routes.ts'
import { printerControlRoutes } from './modules/printers/control/printer-control.routes.ts'
import { printerModelRoutes } from './modules/printers/models/printer-models.routes.ts'
import { lastHourRoutes } from './modules/printers/settings/last-hour.routes.ts'
import { livePrinterRoutes } from './modules/printers/settings/live-printers.routes.ts'
import { printerEventRoutes } from './modules/printers/settings/printer-events.routes.ts'
import { printerRoutes } from './modules/printers/settings/printers.routes.ts'
import { transferRoutes } from './modules/printers/settings/transfer.routes.ts'
import { followPlans } from './modules/promises/forecaster.ts'
import { usageRoutes } from './modules/quotas/usage.routes.ts'
import { boardRoutes } from './modules/scheduler/board/board.routes.ts'
import { schedulerRoutes } from './modules/scheduler/scheduler.routes.ts'
import { scheduleJobs } from './modules/scheduler/scheduler.service.ts'
import { queueTimelineRoutes } from './modules/scheduler/timeline/timeline.routes.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { shopHookRoutes } from './modules/shops/hooks/hook.routes.ts'
import { shopRoutes } from './modules/shops/settings/shops.routes.ts'
import { followShops } from './modules/shops/sync/follow-shops.ts'
import { slicerRoutes } from './modules/slicers/slicers.routes.ts'
import { farmDayRoutes } from './modules/timeline/farm-day.routes.ts'
import { followPrinterTime } from './modules/timeline/follow-printer-time.ts'
import { timelineRoutes } from './modules/timeline/timeline.routes.ts'
import { deliverEvents } from './modules/webhooks/delivery/follow-events.ts'
import { deliveryRoutes } from './modules/webhooks/log/deliveries.routes.ts'
import { webhookRoutes } from './modules/webhooks/settings/webhooks.routes.ts'
import { wikiRoutes } from './modules/wiki/wiki.routes.ts'
import { wikiImageRoutes } from './modules/wiki/wiki-images.routes.ts'
import { assignmentDefaultRoutes } from './modules/worklist/assignment-defaults.routes.ts'
import { workCardRoutes } from './modules/worklist/work-cards.routes.ts'
import { healthRoutes } from './operations/health.ts'
import { metricsRoute } from './operations/metrics.ts'
import { createOnePortServer, type ServerTimes } from './tls/one-port.ts'

/** Largest JSON body of those who are known. Raw uploads have a limit of their own on their route. */
const bodyLimitBytes = 1024 * 1024

/** Version of the API description; the path prefix carries the major. */
const apiVersion = '1.0.0'

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

const http: ServerOptions = {
  // Missed by us instead, so that the refusal is in the envelope.
  requireHostHeader: false,
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
    genReqId: readRequestId,
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
      domainRoutes(routes, context, streams)
    },
    { prefix: apiPrefix },
  )
  await app.register(
    async (plugin) => {
      const routes = plugin as App
      signInRoutes(routes, context)
      sessionRoutes(routes, context)
      proofRoutes(routes, context)
      passkeyRoutes(routes, context)
      auditRoutes(routes, context)
      printerEventRoutes(routes, context)
      lastHourRoutes(routes, context)
      boardRoutes(routes, context)
      farmDayRoutes(routes, context)
      searchRoutes(routes, context)
      queueTimelineRoutes(routes, context)
      totpRoutes(routes, context)
      oidcRoutes(routes, context)
      passwordRoutes(routes, context)
      invitationRoutes(routes, context)
      memberChangeRoutes(routes, context)
      shiftRoutes(routes, context)
      apiKeyRoutes(routes, context)
      accountRoutes(routes, context)
      accountExportRoutes(routes, context)
      usageRoutes(routes, context, streams.countOf)
      backupRoutes(routes, context)
      workCardRoutes(routes, context)
      costSettingsRoutes(routes, context)
      costRoutes(routes, context)
      marginRoutes(routes, context)
      channelRoutes(routes, context)
      ruleRoutes(routes, context)
      notificationRoutes(routes, context)
      pushDeviceRoutes(routes, context)
      takeRoutes(routes, context)
      automationRuleRoutes(routes, context)
      automationRunRoutes(routes, context)
      shopRoutes(routes, context)
      brokerRoutes(routes, context)
      plugRoutes(routes, context)
      spoolmanRoutes(routes, context)
      domainRoutes(routes, context, streams)
    },
    { prefix: sessionPrefix },
  )
  joinRoutes(app, context)
  hubFileRoutes(app, context)
  servedImageRoutes(app, context)
  slicerRoutes(app, context)
  shopHookRoutes(app, context)
  healthRoutes(app, context)
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

/** What integrations do with a key, and people in the dashboard: the same routes under both prefixes. */
function domainRoutes(routes: App, context: Context, streams: EventStreams): void {
  printerRoutes(routes, context)
  livePrinterRoutes(routes, context)
  printerModelRoutes(routes, context)
  printerControlRoutes(routes, context)
  deviceCommandRoutes(routes, context)
  snapshotRoutes(routes, context)
  transferRoutes(routes, context)
  jobRoutes(routes, context)
  jobPlanRoutes(routes, context)
  schedulerRoutes(routes, context)
  fileRoutes(routes, context)
  hubRoutes(routes, context)
  productRoutes(routes, context)
  productImageRoutes(routes, context)
  skuRoutes(routes, context)
  recipeRoutes(routes, context)
  bomRoutes(routes, context)
  colorRoutes(routes, context)
  inventoryRoutes(routes, context)
  materialRoutes(routes, context)
  materialSettingsRoutes(routes, context)
  spoolTagRoutes(routes, context)
  forecastRoutes(routes, context)
  orderRoutes(routes, context)
  outRoutes(routes, context)
  pickRoutes(routes, context)
  orderDetailRoutes(routes, context)
  orderSettingsRoutes(routes, context)
  listingMapRoutes(routes, context)
  importRoutes(routes, context)
  planningRoutes(routes, context)
  needsRoutes(routes, context)
  assignmentDefaultRoutes(routes, context)
  worklistRoutes(routes, context)
  memberRoutes(routes, context)
  ownKeyRoutes(routes, context)
  agentCallRoutes(routes, context)
  analyticsRoutes(routes, context)
  reportRoutes(routes, context)
  qualityRoutes(routes, context)
  timelineRoutes(routes, context)
  failureRoutes(routes, context)
  assemblyRoutes(routes, context)
  wikiRoutes(routes, context)
  wikiImageRoutes(routes, context)
  eventRoutes(routes, context, streams)
  webhookRoutes(routes, context)
  deliveryRoutes(routes, context)
}

function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID()
}
