import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { readAssemblySearch } from '../features/assembly/assembly-search.ts'
import { readFailureSearch } from '../features/failures/failures.api.ts'
import { readLibrarySearch } from '../features/files/library/library-search.ts'
import { readQueueSearch } from '../features/jobs/queue/queue-search.ts'
import { type LabelChoice, readLabelChoice } from '../features/labels/label-choice.ts'
import { readMaterialSearch } from '../features/materials/material-search.ts'
import { readOrderSearch } from '../features/orders/order-search.ts'
import { readPrinterView } from '../features/printers/list/printer-view.ts'
import { readProductionSearch } from '../features/production/production-search.ts'
import { readProductSearch } from '../features/products/list/product-search.ts'
import { readReportSearch } from '../features/reports/report-search.ts'
import type { AuditSearch } from '../features/settings/audit/audit-filters.tsx'
import { type RunOutcome, runOutcomes } from '../features/settings/automation/run-outcomes.ts'
import { type NotificationState, notificationStates } from '../features/settings/notifications/notification-states.ts'
import { readStockSearch } from '../features/stock/stock-search.ts'
import { readArticleSearch, readWikiSearch } from '../features/wiki/wiki-search.ts'
import { parseSearchText, writeSearchText } from '../lib/search-text.ts'
import { readDay } from '../lib/zone-day.ts'
import { LoadingRows } from '../ui/page/loading.tsx'
import { lazyPage } from './lazy-page.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { RouteError } from './route-error.tsx'
import { readWorklistSearch } from './routes/worklist/worklist-search.ts'
import { requireFactor, requireSession } from './session-guard.ts'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** What is printed on labels, and what is looked through for more. */
interface LabelsSearch extends LabelChoice {
  items?: string
  size?: string
  used?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

// Before sign-in.

const visitor = createRoute({
  getParentRoute: () => rootRoute,
  id: 'visitor',
  component: lazyPage(() => import('./shell/visitor-layout.tsx'), 'VisitorLayout'),
})
const signIn = createRoute({
  getParentRoute: () => visitor,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { return?: string; problem?: string } => ({
    ...(text(search.return) && { return: String(search.return) }),
    ...(text(search.problem) && { problem: String(search.problem) }),
  }),
  component: lazyPage(() => import('./routes/sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const setup = createRoute({
  getParentRoute: () => visitor,
  path: '/setup',
  validateSearch: (search: Record<string, unknown>): { setup?: string } => ({
    ...(text(search.setup) && { setup: String(search.setup) }),
  }),
  component: lazyPage(() => import('./routes/sign-in/setup-page.tsx'), 'SetupPage'),
})
const forgot = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot',
  component: lazyPage(() => import('./routes/sign-in/forgot-page.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => visitor,
  path: '/reset-password',
  component: lazyPage(() => import('./routes/sign-in/reset-page.tsx'), 'ResetPage'),
})
const invitation = createRoute({
  getParentRoute: () => visitor,
  path: '/invitation',
  component: lazyPage(() => import('./routes/sign-in/invitation-page.tsx'), 'InvitationPage'),
})

/** Where the reader of a notification takes its task. */
const take = createRoute({
  getParentRoute: () => visitor,
  path: '/take',
  component: lazyPage(() => import('./routes/sign-in/take-page.tsx'), 'TakePage'),
})

/** Where a person whom the provider has proven says which invitation to accept. */
const join = createRoute({
  getParentRoute: () => visitor,
  path: '/join',
  component: lazyPage(() => import('./routes/sign-in/join-page.tsx'), 'JoinPage'),
})
/** Where a new sign-in at the provider ends. */
const proven = createRoute({
  getParentRoute: () => visitor,
  path: '/proven',
  component: lazyPage(() => import('./routes/sign-in/proven-page.tsx'), 'ProvenPage'),
})
const secondFactor = createRoute({
  getParentRoute: () => visitor,
  path: '/second-factor',
  beforeLoad: ({ context }) => requireFactor(context.queryClient),
  component: lazyPage(() => import('./routes/sign-in/second-factor-page.tsx'), 'SecondFactorPage'),
})

// Behind it. `member` follows the stream of events; `shell` adds the navigation.

const member = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location),
  component: lazyPage(() => import('./shell/member-layout.tsx'), 'MemberLayout'),
})
const wall = createRoute({
  getParentRoute: () => member,
  path: '/printers/wall',
  validateSearch: (search: Record<string, unknown>): { location?: string } => ({
    ...(text(search.location) && { location: String(search.location) }),
  }),
  component: lazyPage(() => import('./routes/printers/wall-page.tsx'), 'WallPage'),
})
const shell = createRoute({
  getParentRoute: () => member,
  id: 'shell',
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
})
const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyPage(() => import('./routes/overview/overview-page.tsx'), 'OverviewPage'),
})
const printers = createRoute({
  getParentRoute: () => shell,
  path: '/printers',
  validateSearch: readPrinterView,
  component: lazyPage(() => import('./routes/printers/printers-page.tsx'), 'PrintersPage'),
})
const printer = createRoute({
  getParentRoute: () => shell,
  path: '/printers/$printerId',
  validateSearch: ({ day }: Record<string, unknown>): { day?: string } => {
    const shown = readDay(day)
    return shown === undefined ? {} : { day: shown }
  },
  component: lazyPage(() => import('./routes/printers/printer-page.tsx'), 'PrinterPage'),
})
const queue = createRoute({
  getParentRoute: () => shell,
  path: '/queue',
  validateSearch: readQueueSearch,
  component: lazyPage(() => import('./routes/jobs/queue-page.tsx'), 'QueuePage'),
})
const history = createRoute({
  getParentRoute: () => shell,
  path: '/history',
  validateSearch: (search: Record<string, unknown>) => ({
    ...(text(search.status) && { status: String(search.status) }),
    ...(text(search.printer) && { printer: String(search.printer) }),
    ...(text(search.file) && { file: String(search.file) }),
    ...(text(search.from) && { from: String(search.from) }),
    ...(text(search.to) && { to: String(search.to) }),
  }),
  component: lazyPage(() => import('./routes/jobs/history-page.tsx'), 'HistoryPage'),
})
const failures = createRoute({
  getParentRoute: () => shell,
  path: '/failures',
  validateSearch: readFailureSearch,
  component: lazyPage(() => import('./routes/failures/failures-page.tsx'), 'FailuresPage'),
})
const job = createRoute({
  getParentRoute: () => shell,
  path: '/jobs/$jobId',
  component: lazyPage(() => import('./routes/jobs/job-page.tsx'), 'JobPage'),
})
const files = createRoute({
  getParentRoute: () => shell,
  path: '/files',
  validateSearch: readLibrarySearch,
  component: lazyPage(() => import('./routes/files/files-page.tsx'), 'FilesPage'),
})
const file = createRoute({
  getParentRoute: () => shell,
  path: '/files/$fileId',
  component: lazyPage(() => import('./routes/files/file-page.tsx'), 'FilePage'),
})
const products = createRoute({
  getParentRoute: () => shell,
  path: '/products',
  validateSearch: readProductSearch,
  component: lazyPage(() => import('./routes/products/products-page.tsx'), 'ProductsPage'),
})
const product = createRoute({
  getParentRoute: () => shell,
  path: '/products/$productId',
  component: lazyPage(() => import('./routes/products/product-page.tsx'), 'ProductPage'),
})
const sku = createRoute({
  getParentRoute: () => shell,
  path: '/skus/$skuId',
  component: lazyPage(() => import('./routes/products/sku-page.tsx'), 'SkuPage'),
})
const stock = createRoute({
  getParentRoute: () => shell,
  path: '/stock',
  validateSearch: readStockSearch,
  component: lazyPage(() => import('./routes/stock/stock-page.tsx'), 'StockPage'),
})
const stockItem = createRoute({
  getParentRoute: () => shell,
  path: '/stock/$itemId',
  component: lazyPage(() => import('./routes/stock/stock-item-page.tsx'), 'StockItemPage'),
})
const materials = createRoute({
  getParentRoute: () => shell,
  path: '/materials',
  validateSearch: readMaterialSearch,
  component: lazyPage(() => import('./routes/materials/materials-page.tsx'), 'MaterialsPage'),
})
const material = createRoute({
  getParentRoute: () => shell,
  path: '/materials/$kind/$materialId',
  component: lazyPage(() => import('./routes/materials/material-page.tsx'), 'MaterialPage'),
})
const wiki = createRoute({
  getParentRoute: () => shell,
  path: '/wiki',
  validateSearch: readWikiSearch,
  component: lazyPage(() => import('./routes/wiki/wiki-page.tsx'), 'WikiPage'),
})
const article = createRoute({
  getParentRoute: () => shell,
  path: '/wiki/$articleId',
  validateSearch: readArticleSearch,
  component: lazyPage(() => import('./routes/wiki/article-page.tsx'), 'ArticlePage'),
})
const editArticle = createRoute({
  getParentRoute: () => shell,
  path: '/wiki/$articleId/edit',
  component: lazyPage(() => import('./routes/wiki/edit-article-page.tsx'), 'EditArticlePage'),
})
const production = createRoute({
  getParentRoute: () => shell,
  path: '/production',
  validateSearch: readProductionSearch,
  component: lazyPage(() => import('./routes/production/production-page.tsx'), 'ProductionPage'),
})
const assembly = createRoute({
  getParentRoute: () => shell,
  path: '/assembly',
  validateSearch: readAssemblySearch,
  component: lazyPage(() => import('./routes/assembly/assembly-page.tsx'), 'AssemblyPage'),
})
const assemblyTask = createRoute({
  getParentRoute: () => shell,
  path: '/assembly/$assemblyId',
  component: lazyPage(() => import('./routes/assembly/assembly-task-page.tsx'), 'AssemblyTaskPage'),
})
const reports = createRoute({
  getParentRoute: () => shell,
  path: '/reports',
  validateSearch: readReportSearch,
  component: lazyPage(() => import('./routes/reports/reports-page.tsx'), 'ReportsPage'),
})
const hubs = createRoute({
  getParentRoute: () => shell,
  path: '/hubs',
  component: lazyPage(() => import('./routes/hubs/hubs-page.tsx'), 'HubsPage'),
})
const hub = createRoute({
  getParentRoute: () => shell,
  path: '/hubs/$hubId',
  component: lazyPage(() => import('./routes/hubs/hub-page.tsx'), 'HubPage'),
})
const worklist = createRoute({
  getParentRoute: () => shell,
  path: '/worklist',
  validateSearch: readWorklistSearch,
  component: lazyPage(() => import('./routes/worklist/worklist-page.tsx'), 'WorklistPage'),
})
const orders = createRoute({
  getParentRoute: () => shell,
  path: '/orders',
  validateSearch: readOrderSearch,
  component: lazyPage(() => import('./routes/orders/orders-page.tsx'), 'OrdersPage'),
})
const order = createRoute({
  getParentRoute: () => shell,
  path: '/orders/$orderId',
  component: lazyPage(() => import('./routes/orders/order-page.tsx'), 'OrderPage'),
})
const unmapped = createRoute({
  getParentRoute: () => shell,
  path: '/orders/unmapped',
  component: lazyPage(() => import('./routes/orders/unmapped-page.tsx'), 'UnmappedPage'),
})
const newOrder = createRoute({
  getParentRoute: () => shell,
  path: '/orders/new',
  component: lazyPage(() => import('./routes/orders/new-order-page.tsx'), 'NewOrderPage'),
})
const orderImport = createRoute({
  getParentRoute: () => shell,
  path: '/orders/import',
  component: lazyPage(() => import('./routes/orders/import-page.tsx'), 'ImportPage'),
})
const labels = createRoute({
  getParentRoute: () => shell,
  path: '/labels',
  validateSearch: (search: Record<string, unknown>): LabelsSearch => ({
    ...readLabelChoice(search),
    ...(text(search.items) && { items: String(search.items) }),
    ...(text(search.size) && { size: String(search.size) }),
    ...(text(search.used) && { used: String(search.used) }),
  }),
  component: lazyPage(() => import('./routes/labels/labels-page.tsx'), 'LabelsPage'),
})

const scan = createRoute({
  getParentRoute: () => shell,
  path: '/scan',
  component: lazyPage(() => import('./routes/scan/scan-page.tsx'), 'ScanPage'),
})
/** What the code on a label says. */
const scanned = createRoute({
  getParentRoute: () => shell,
  path: '/s/$id',
  component: lazyPage(() => import('./routes/scan/scanned-page.tsx'), 'ScannedPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyPage(() => import('./routes/settings/settings-layout.tsx'), 'SettingsLayout'),
})
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true })
  },
})
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyPage(() => import('./routes/settings/profile-page.tsx'), 'ProfilePage'),
})
const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyPage(() => import('./routes/settings/account-page.tsx'), 'AccountPage'),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyPage(() => import('./routes/settings/members-page.tsx'), 'MembersPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: lazyPage(() => import('./routes/settings/api-keys-page.tsx'), 'ApiKeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazyPage(() => import('./routes/settings/webhooks-page.tsx'), 'WebhooksPage'),
})
const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
const webhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$webhookId',
  validateSearch: (search: Record<string, unknown>): { status?: (typeof deliveryStatuses)[number] } => {
    const status = deliveryStatuses.find((each) => each === search.status)
    return status === undefined ? {} : { status }
  },
  component: lazyPage(() => import('./routes/settings/webhook-page.tsx'), 'WebhookPage'),
})
const homeAssistant = createRoute({
  getParentRoute: () => settings,
  path: '/home-assistant',
  component: lazyPage(() => import('./routes/settings/home-assistant-page.tsx'), 'HomeAssistantPage'),
})
const shops = createRoute({
  getParentRoute: () => settings,
  path: '/shops',
  component: lazyPage(() => import('./routes/settings/shops-page.tsx'), 'ShopsPage'),
})
const spoolman = createRoute({
  getParentRoute: () => settings,
  path: '/spoolman',
  component: lazyPage(() => import('./routes/settings/spoolman-page.tsx'), 'SpoolmanPage'),
})
const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  validateSearch: ({ sent }: Record<string, unknown>): { sent?: NotificationState } => {
    const state = notificationStates.find((each) => each === sent)
    return state === undefined ? {} : { sent: state }
  },
  component: lazyPage(() => import('./routes/settings/notifications-page.tsx'), 'NotificationsPage'),
})
const automation = createRoute({
  getParentRoute: () => settings,
  path: '/automation',
  validateSearch: ({ outcome }: Record<string, unknown>): { outcome?: RunOutcome } => {
    const shown = runOutcomes.find((each) => each === outcome)
    return shown === undefined ? {} : { outcome: shown }
  },
  component: lazyPage(() => import('./routes/settings/automation-page.tsx'), 'AutomationPage'),
})
const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyPage(() => import('./routes/settings/sessions-page.tsx'), 'SessionsPage'),
})
const taskAssignment = createRoute({
  getParentRoute: () => settings,
  path: '/tasks',
  component: lazyPage(() => import('./routes/settings/tasks-page.tsx'), 'TasksPage'),
})
const shifts = createRoute({
  getParentRoute: () => settings,
  path: '/shifts',
  component: lazyPage(() => import('./routes/settings/shifts-page.tsx'), 'ShiftsPage'),
})
const costs = createRoute({
  getParentRoute: () => settings,
  path: '/costs',
  component: lazyPage(() => import('./routes/settings/costs-page.tsx'), 'CostsPage'),
})
const backups = createRoute({
  getParentRoute: () => settings,
  path: '/backups',
  component: lazyPage(() => import('./routes/settings/backups-page.tsx'), 'BackupsPage'),
})
const leaving = createRoute({
  getParentRoute: () => settings,
  path: '/leaving',
  component: lazyPage(() => import('./routes/settings/leaving-page.tsx'), 'LeavingPage'),
})
const auditFilters = ['actor', 'type', 'subject', 'from', 'to'] as const
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch =>
    Object.fromEntries(auditFilters.flatMap((name) => (text(search[name]) ? [[name, String(search[name])]] : []))),
  component: lazyPage(() => import('./routes/settings/audit-page.tsx'), 'AuditPage'),
})

const routeTree = rootRoute.addChildren([
  visitor.addChildren([signIn, setup, forgot, reset, invitation, take, join, proven, secondFactor]),
  member.addChildren([
    wall,
    shell.addChildren([
      overview,
      printers,
      printer,
      queue,
      history,
      failures,
      job,
      files,
      file,
      products,
      product,
      sku,
      stock,
      stockItem,
      materials,
      material,
      production,
      assembly,
      assemblyTask,
      wiki,
      article,
      editArticle,
      reports,
      hubs,
      hub,
      worklist,
      orders,
      order,
      unmapped,
      newOrder,
      orderImport,
      labels,
      scan,
      scanned,
      settings.addChildren([
        settingsStart,
        profile,
        account,
        members,
        apiKeys,
        webhooks,
        webhook,
        notifications,
        automation,
        shops,
        spoolman,
        homeAssistant,
        sessions,
        taskAssignment,
        shifts,
        costs,
        backups,
        leaving,
        audit,
      ]),
    ]),
  ]),
])

export type DashboardRouter = ReturnType<typeof createDashboardRouter>

/** The addresses of the dashboard. Every page is a file of its own that is fetched when it is first shown. */
export function createDashboardRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearchText,
    stringifySearch: writeSearchText,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: LoadingRows,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
  })
  // Who cannot see that the page has changed is taken to its title; one that is still read takes the focus when it is there.
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    const start = document.getElementById('page-title') ?? document.getElementById('main')
    start?.focus({ preventScroll: true })
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: DashboardRouter
  }
}
