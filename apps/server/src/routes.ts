import type { Context } from './context/context.ts'
import type { App } from './http/types.ts'
import { accountExportRoutes } from './modules/account-data/download/download.routes.ts'
import { analyticsRoutes } from './modules/analytics/analytics.routes.ts'
import { qualityRoutes } from './modules/analytics/quality/quality.routes.ts'
import { reportRoutes } from './modules/analytics/reports/reports.routes.ts'
import { assemblyRoutes } from './modules/assembly/assembly.routes.ts'
import { automationRuleRoutes } from './modules/automation/rules/rules.routes.ts'
import { automationRunRoutes } from './modules/automation/runs/runs.routes.ts'
import { backupRoutes } from './modules/backups/backups.routes.ts'
import { bomRoutes } from './modules/catalogue/bom/bom.routes.ts'
import { colorRoutes } from './modules/catalogue/colors/colors.routes.ts'
import { inventoryRoutes } from './modules/catalogue/inventory/inventory.routes.ts'
import { productImageRoutes } from './modules/catalogue/products/product-images.routes.ts'
import { productRoutes } from './modules/catalogue/products/products.routes.ts'
import { recipeRoutes } from './modules/catalogue/recipes/recipes.routes.ts'
import { skuRoutes } from './modules/catalogue/skus/skus.routes.ts'
import { costRoutes } from './modules/costs/costs.routes.ts'
import { marginRoutes } from './modules/costs/report/margin.routes.ts'
import { costSettingsRoutes } from './modules/costs/settings/cost-settings.routes.ts'
import type { EventStreams } from './modules/event-stream/event-streams.ts'
import { eventRoutes } from './modules/event-stream/events.routes.ts'
import { auditRoutes } from './modules/events/audit.routes.ts'
import { failureRoutes } from './modules/failures/failures.routes.ts'
import { fileRoutes } from './modules/files/routes/files.routes.ts'
import { worklistRoutes } from './modules/floor/worklist.routes.ts'
import { hubRoutes } from './modules/hubs/hubs.routes.ts'
import { jobPlanRoutes } from './modules/jobs/routes/job-plan.routes.ts'
import { jobRoutes } from './modules/jobs/routes/jobs.routes.ts'
import { forecastRoutes } from './modules/materials/forecast/forecast.routes.ts'
import { materialRoutes } from './modules/materials/materials.routes.ts'
import { materialSettingsRoutes } from './modules/materials/settings/material-settings.routes.ts'
import { spoolmanRoutes } from './modules/materials/spoolman/settings/spoolman.routes.ts'
import { spoolTagRoutes } from './modules/materials/tags/spool-tags.routes.ts'
import { plugRoutes } from './modules/mqtt/plugs/plugs.routes.ts'
import { brokerRoutes } from './modules/mqtt/settings/broker.routes.ts'
import { channelRoutes } from './modules/notifications/channels/channels.routes.ts'
import { notificationRoutes } from './modules/notifications/log/notifications.routes.ts'
import { pushDeviceRoutes } from './modules/notifications/push/push-devices.routes.ts'
import { ruleRoutes } from './modules/notifications/rule-settings/rules.routes.ts'
import { takeRoutes } from './modules/notifications/take/take.routes.ts'
import { orderDetailRoutes } from './modules/orders/details/order-details.routes.ts'
import { importRoutes } from './modules/orders/import/import.routes.ts'
import { listingMapRoutes } from './modules/orders/listings/listing-maps.routes.ts'
import { orderRoutes } from './modules/orders/orders.routes.ts'
import { outRoutes } from './modules/orders/out/out.routes.ts'
import { pickRoutes } from './modules/orders/pick/picks.routes.ts'
import { orderSettingsRoutes } from './modules/orders/settings/order-settings.routes.ts'
import { accountRoutes } from './modules/people/accounts/account.routes.ts'
import { agentCallRoutes } from './modules/people/api-keys/agent-calls.routes.ts'
import { apiKeyRoutes } from './modules/people/api-keys/api-keys.routes.ts'
import { ownKeyRoutes } from './modules/people/api-keys/own-key.routes.ts'
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
import { usageRoutes } from './modules/quotas/usage.routes.ts'
import { boardRoutes } from './modules/scheduler/board/board.routes.ts'
import { schedulerRoutes } from './modules/scheduler/scheduler.routes.ts'
import { queueTimelineRoutes } from './modules/scheduler/timeline/timeline.routes.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { shopRoutes } from './modules/shops/settings/shops.routes.ts'
import { farmDayRoutes } from './modules/timeline/farm-day.routes.ts'
import { timelineRoutes } from './modules/timeline/timeline.routes.ts'
import { deliveryRoutes } from './modules/webhooks/log/deliveries.routes.ts'
import { webhookRoutes } from './modules/webhooks/settings/webhooks.routes.ts'
import { wikiRoutes } from './modules/wiki/wiki.routes.ts'
import { wikiImageRoutes } from './modules/wiki/wiki-images.routes.ts'
import { assignmentDefaultRoutes } from './modules/worklist/assignment-defaults.routes.ts'
import { workCardRoutes } from './modules/worklist/work-cards.routes.ts'

/** Describes the routes of one module below the prefix of `routes`. */
export type DescribeRoutes = (routes: App, context: Context, streams: EventStreams) => void

/** What people alone do in the dashboard. */
export const peopleRoutes: readonly DescribeRoutes[] = [
  signInRoutes,
  sessionRoutes,
  proofRoutes,
  passkeyRoutes,
  auditRoutes,
  printerEventRoutes,
  lastHourRoutes,
  boardRoutes,
  farmDayRoutes,
  searchRoutes,
  queueTimelineRoutes,
  totpRoutes,
  oidcRoutes,
  passwordRoutes,
  invitationRoutes,
  memberChangeRoutes,
  shiftRoutes,
  apiKeyRoutes,
  accountRoutes,
  accountExportRoutes,
  (routes, context, streams) => usageRoutes(routes, context, streams.countOf),
  backupRoutes,
  workCardRoutes,
  costSettingsRoutes,
  costRoutes,
  marginRoutes,
  channelRoutes,
  ruleRoutes,
  notificationRoutes,
  pushDeviceRoutes,
  takeRoutes,
  automationRuleRoutes,
  automationRunRoutes,
  shopRoutes,
  brokerRoutes,
  plugRoutes,
  spoolmanRoutes,
]

/** What integrations do with a key, and people in the dashboard: the same routes under both prefixes. */
export const domainRoutes: readonly DescribeRoutes[] = [
  printerRoutes,
  livePrinterRoutes,
  printerModelRoutes,
  printerControlRoutes,
  deviceCommandRoutes,
  snapshotRoutes,
  transferRoutes,
  jobRoutes,
  jobPlanRoutes,
  schedulerRoutes,
  fileRoutes,
  hubRoutes,
  productRoutes,
  productImageRoutes,
  skuRoutes,
  recipeRoutes,
  bomRoutes,
  colorRoutes,
  inventoryRoutes,
  materialRoutes,
  materialSettingsRoutes,
  spoolTagRoutes,
  forecastRoutes,
  orderRoutes,
  outRoutes,
  pickRoutes,
  orderDetailRoutes,
  orderSettingsRoutes,
  listingMapRoutes,
  importRoutes,
  planningRoutes,
  needsRoutes,
  assignmentDefaultRoutes,
  worklistRoutes,
  memberRoutes,
  ownKeyRoutes,
  agentCallRoutes,
  analyticsRoutes,
  reportRoutes,
  qualityRoutes,
  timelineRoutes,
  failureRoutes,
  assemblyRoutes,
  wikiRoutes,
  wikiImageRoutes,
  eventRoutes,
  webhookRoutes,
  deliveryRoutes,
]
