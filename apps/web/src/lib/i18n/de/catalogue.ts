import type { Catalogue } from '../messages.ts'
import assembly from './assembly.json' with { type: 'json' }
import common from './common.json' with { type: 'json' }
import errors from './errors.json' with { type: 'json' }
import events from './events.json' with { type: 'json' }
import files from './files.json' with { type: 'json' }
import hubs from './hubs.json' with { type: 'json' }
import jobs from './jobs.json' with { type: 'json' }
import labels from './labels.json' with { type: 'json' }
import materials from './materials.json' with { type: 'json' }
import orders from './orders.json' with { type: 'json' }
import overview from './overview.json' with { type: 'json' }
import printers from './printers.json' with { type: 'json' }
import production from './production.json' with { type: 'json' }
import products from './products.json' with { type: 'json' }
import reports from './reports.json' with { type: 'json' }
import service from './service.json' with { type: 'json' }
import session from './session.json' with { type: 'json' }
import settings from './settings.json' with { type: 'json' }
import stock from './stock.json' with { type: 'json' }
import wiki from './wiki.json' with { type: 'json' }
import worklist from './worklist.json' with { type: 'json' }

/** All texts in German. */
export const catalogue: Catalogue = {
  ...assembly,
  ...common,
  ...errors,
  ...events,
  ...files,
  ...hubs,
  ...jobs,
  ...labels,
  ...materials,
  ...orders,
  ...overview,
  ...printers,
  ...production,
  ...products,
  ...reports,
  ...service,
  ...session,
  ...settings,
  ...stock,
  ...wiki,
  ...worklist,
}

/** What the service says. */
export const sentences: string[] = [...Object.keys(errors), ...Object.keys(service)]
