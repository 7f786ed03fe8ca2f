// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import { AgentCalls } from './agent-calls.generated.ts'
import { Analytics } from './analytics.generated.ts'
import { Assembly } from './assembly.generated.ts'
import { Colors } from './colors.generated.ts'
import { Events } from './events.ts'
import { Files } from './files.ts'
import { Hubs } from './hubs.generated.ts'
import { Inventory } from './inventory.generated.ts'
import { Jobs } from './jobs.generated.ts'
import { Key } from './key.generated.ts'
import { ListingMaps } from './listing-maps.generated.ts'
import { Materials } from './materials.generated.ts'
import { Members } from './members.generated.ts'
import { OrderImports } from './order-imports.generated.ts'
import { Orders } from './orders.generated.ts'
import { PrinterModels } from './printer-models.generated.ts'
import { Printers } from './printers.generated.ts'
import { Production } from './production.generated.ts'
import { Products } from './products.generated.ts'
import { Recipes } from './recipes.generated.ts'
import { Scheduler } from './scheduler.generated.ts'
import { Skus } from './skus.generated.ts'
import { Webhooks } from './webhooks.generated.ts'
import { Wiki } from './wiki.generated.ts'
import { Worklist } from './worklist.generated.ts'
import type { Connection } from '../request.ts'

/** The resources of the API. */
export class Resources {
  readonly agentCalls: AgentCalls
  readonly analytics: Analytics
  readonly assembly: Assembly
  readonly colors: Colors
  readonly events: Events
  readonly files: Files
  readonly hubs: Hubs
  readonly inventory: Inventory
  readonly jobs: Jobs
  readonly key: Key
  readonly listingMaps: ListingMaps
  readonly materials: Materials
  readonly members: Members
  readonly orderImports: OrderImports
  readonly orders: Orders
  readonly printerModels: PrinterModels
  readonly printers: Printers
  readonly production: Production
  readonly products: Products
  readonly recipes: Recipes
  readonly scheduler: Scheduler
  readonly skus: Skus
  readonly webhooks: Webhooks
  readonly wiki: Wiki
  readonly worklist: Worklist

  constructor(connection: Connection) {
    this.agentCalls = new AgentCalls(connection)
    this.analytics = new Analytics(connection)
    this.assembly = new Assembly(connection)
    this.colors = new Colors(connection)
    this.events = new Events(connection)
    this.files = new Files(connection)
    this.hubs = new Hubs(connection)
    this.inventory = new Inventory(connection)
    this.jobs = new Jobs(connection)
    this.key = new Key(connection)
    this.listingMaps = new ListingMaps(connection)
    this.materials = new Materials(connection)
    this.members = new Members(connection)
    this.orderImports = new OrderImports(connection)
    this.orders = new Orders(connection)
    this.printerModels = new PrinterModels(connection)
    this.printers = new Printers(connection)
    this.production = new Production(connection)
    this.products = new Products(connection)
    this.recipes = new Recipes(connection)
    this.scheduler = new Scheduler(connection)
    this.skus = new Skus(connection)
    this.webhooks = new Webhooks(connection)
    this.wiki = new Wiki(connection)
    this.worklist = new Worklist(connection)
  }
}
