import { assemblyLiveRules } from '../features/assembly/assembly.live.ts'
import { costLiveRules } from '../features/costs/costs.live.ts'
import { fileLiveRules } from '../features/files/files.api.ts'
import { hubLiveNote, hubLiveRules } from '../features/hubs/hubs.api.ts'
import { jobLivePatch, jobLiveRules } from '../features/jobs/jobs.api.ts'
import { materialLiveRules } from '../features/materials/materials.live.ts'
import { orderLiveRules } from '../features/orders/orders.live.ts'
import { overviewLiveRules } from '../features/overview/overview.api.ts'
import { printerLivePatch, printerLiveRules } from '../features/printers/printers.api.ts'
import { productionLiveRules } from '../features/production/production.live.ts'
import { productLiveRules } from '../features/products/products.live.ts'
import { reportLiveRules } from '../features/reports/reports.live.ts'
import { automationLiveRules } from '../features/settings/automation/automation.live.ts'
import { mqttLiveRules } from '../features/settings/mqtt/mqtt.live.ts'
import { notificationLiveRules } from '../features/settings/notifications/notifications.live.ts'
import { settingsLiveRules } from '../features/settings/settings.live.ts'
import { shopLiveRules } from '../features/settings/shops/shops.live.ts'
import { spoolmanLiveRules } from '../features/settings/spoolman/spoolman.live.ts'
import { webhookLiveRules } from '../features/settings/webhooks/webhooks.live.ts'
import { stockLiveRules } from '../features/stock/stock.live.ts'
import { wikiLiveRules } from '../features/wiki/wiki.live.ts'
import { worklistLiveRules } from '../features/worklist/worklist.api.ts'
import type { LiveNote, LivePatch, LiveRule } from '../lib/live/live-rules.ts'

/** Which events touch what of the cache: every feature's own rules. */
export const liveRules: readonly LiveRule[] = [
  ...overviewLiveRules,
  ...printerLiveRules,
  ...jobLiveRules,
  ...fileLiveRules,
  ...hubLiveRules,
  ...productLiveRules,
  ...stockLiveRules,
  ...materialLiveRules,
  ...reportLiveRules,
  ...costLiveRules,
  ...worklistLiveRules,
  ...orderLiveRules,
  ...productionLiveRules,
  ...assemblyLiveRules,
  ...wikiLiveRules,
  ...settingsLiveRules,
  ...webhookLiveRules,
  ...notificationLiveRules,
  ...automationLiveRules,
  ...shopLiveRules,
  ...spoolmanLiveRules,
  ...mqttLiveRules,
]

/** Who takes in what printers say at this moment. */
export const livePatches: readonly LivePatch[] = [printerLivePatch, jobLivePatch]

/** Who keeps what only the stream says. */
export const liveNotes: readonly LiveNote[] = [hubLiveNote]
