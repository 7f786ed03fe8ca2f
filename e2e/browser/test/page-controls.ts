import type { RouteName } from '@printyard/web/lib/api/api-routes'
import type { MemberRole } from './test-dashboard.ts'

/** What people act with on a page, by the name that it has for them. */
export interface Control {
  name: string | RegExp
  who: readonly MemberRole[]
  /** The routes behind it; none: it changes nothing and asks for nothing that others may not see. */
  calls: readonly RouteName[]
  /** It is there only in some states of its thing. */
  isSeldom?: true
  /** Who may press it depends on this thing of the farm, and not on the route alone. */
  of?: string
}

/** A page in one of its states, and all that can be acted with there. */
export interface View {
  /** Its address, with the names of things in this farm; left out: as the router writes it. */
  at?: string
  /** Where the controls stand. */
  within?: string
  isOnPhone?: true
  controls: readonly Control[]
}

const everybody = ['viewer', 'operator', 'admin', 'owner'] as const
const acting = ['operator', 'admin', 'owner'] as const
const managing = ['admin', 'owner'] as const

const reads = (...names: (string | RegExp)[]): Control[] => names.map((name) => ({ name, who: everybody, calls: [] }))
/** Everybody does it with what is their own. */
const owns = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: everybody, calls })
const acts = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: acting, calls })
const manages = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: managing, calls })
/** It is of the account as a whole, and only its owners see it. */
const ownsTheFarm = (name: string): Control => ({ name, who: ['owner'], calls: [] })
const seldom = (control: Control): Control => ({ ...control, isSeldom: true })

/** Appearance and language, above every page of visitors. */
const appearance = reads(/^Appearance: /, 'Deutsch')
/** Members choose their language in their profile. */
const ownAppearance = reads(/^Appearance: /)
const moreRows = seldom(owns('Show more'))
const job = '[\\w.-]+gcode(?:\\.3mf)?'
const named = (before: string, after = '') => new RegExp(`^${before}${job}${after}$`)

const printerList = [
  ...reads('Wall display', 'Search printers', 'Place', 'Model', 'Order', 'Cards', 'Table', 'Cameras'),
  // Printers change their state while one looks.
  ...reads(/^(Need a person|Printing|Idle|Paused|Error|Offline|Out of service) \d+$/).map(seldom),
  acts('Add printer', 'POST /hubs/{id}/test-connection', 'POST /printers'),
]

/** On cards alone: their size, and what they can be asked for now. */
const printerCards = [...reads('S', 'M', 'L'), seldom(acts(/^(Clear plate:|Resume) /, 'POST /printers/{id}/control'))]

/** Until the first print is done. */
const firstSteps = [
  ...reads('To the printers', 'Choose the file').map(seldom),
  seldom(acts('Take the sample', 'POST /files')),
  seldom(acts('Upload a file', 'POST /files')),
  seldom(acts('Add printers', 'POST /printers')),
  seldom(acts(/^Try with \d+ virtual printers$/, 'POST /printers')),
]

const onePrinter = [
  ...reads('The day before', 'The day after'),
  moreRows,
  acts(/^(Pause|Resume)$/, 'POST /printers/{id}/control'),
  acts('Stop', 'POST /printers/{id}/control'),
  seldom(acts('Clear plate', 'POST /printers/{id}/control')),
  acts('Heaters', 'POST /printers/{id}/heaters'),
  seldom(acts('Filament', 'POST /printers/{id}/filament/load', 'POST /printers/{id}/filament/unload')),
  acts('Light on', 'POST /printers/{id}/light'),
  acts('Light off', 'POST /printers/{id}/light'),
  acts(/^(Take out of|Put back into) service$/, 'PUT /printers/{id}/maintenance'),
  acts('Edit', 'PATCH /printers/{id}'),
  seldom(acts('Trust the new certificate…', 'PATCH /printers/{id}')),
  acts('Remove', 'DELETE /printers/{id}'),
]

const jobButtons = [
  seldom(acts(/^(Start now|Start now on…)$/, 'POST /jobs/{id}/assign', 'POST /jobs/{id}/start')),
  seldom(acts('Assign', 'POST /jobs/{id}/assign')),
  seldom(acts('Change', 'PATCH /jobs/{id}')),
  seldom(acts('Pause', 'POST /jobs/{id}/pause')),
  seldom(acts('Resume', 'POST /jobs/{id}/resume')),
  seldom(acts(/^(Cancel|Stop)$/, 'POST /jobs/{id}/cancel')),
  seldom(acts('What became of it?', 'POST /jobs/{id}/resolve')),
  seldom(acts('Retry', 'POST /jobs/{id}/retry')),
  seldom(acts('Print again', 'POST /jobs')),
  seldom(acts(/^(What it makes|Name the product)$/, 'PUT /jobs/{id}/product')),
]
/** One of these that is there now. */
const now = (...names: string[]): Control[] =>
  jobButtons.map((control) => {
    const isThere = names.some((name) =>
      control.name instanceof RegExp ? control.name.test(name) : control.name === name,
    )
    const { isSeldom, ...always } = control
    return isThere ? always : control
  })

const taskFilters = reads('All', 'Mine', 'Unassigned', 'Kind of task', 'Place')
/** They open all about a task. */
const taskTitles = reads(/^(Oil|Check|Fill up|Look at|Pick|Pack|Assemble) /, /^(Load|Clear) /)
const taskButtons = [
  acts(/^Begin( both| all \d+)?$/, 'PUT /worklist/{id}/status'),
  seldom(acts('Say what you see', 'POST /jobs/{id}/resolve')),
  seldom(acts(/^(Plate is clear|Done|Some units are bad…)/, 'PUT /worklist/{id}/status')),
]

/** Of the line of an order that stands for no SKU. */
const mapping = ['Stands for', 'Units in one', 'Map all like it, and those to come', /^Map (?!all)/].map((name) =>
  acts(name, 'POST /orders/{id}/items/{itemId}/map'),
)
const orders = (name: string) => acts(name, 'POST /orders')

const materialTabs = reads('Spools', 'Components', 'Packaging', 'Printer parts', 'Forecast')
const materialList = (kind: MaterialKind, add: string, count: string, isSeldom?: true): Control[] => [
  ...materialTabs,
  ...reads('State'),
  moreRows,
  acts(add, `POST /materials/${kind}`),
  ...[
    acts(/^Actions for /),
    acts('Take some…', `POST /materials/${kind}/{id}/consume`),
    acts('Restock…', `POST /materials/${kind}/{id}/restock`),
    acts(count, `PATCH /materials/${kind}/{id}`),
  ].map((control) => (isSeldom ? seldom(control) : control)),
]
type MaterialKind = 'filament' | 'components' | 'packaging' | 'parts'

const articleButtons = [
  acts('Edit', 'PATCH /wiki/{idOrSlug}'),
  acts(/^(Publish|Take it back…)$/, 'POST /wiki/{id}/publish', 'POST /wiki/{id}/unpublish'),
  acts('Delete…', 'DELETE /wiki/{idOrSlug}'),
]
const editsArticle = (name: string | RegExp) => acts(name, 'PATCH /wiki/{idOrSlug}')

const productionTabs = reads('To print', 'Make to stock', 'Not needed')

const reportSide = [
  ...reads('Production', 'Printers', 'Stock and filament', 'Revenue', 'Failures', 'Yield', 'Promises', 'Idle time'),
  ...reads('From', 'To'),
  manages('Margin', 'GET /costs/margin'),
]
const settingsSide = [
  ...reads('Profile', 'Sessions', 'Notifications', 'Account', 'Members', 'Task assignment'),
  manages('Costs', 'GET /costs/settings'),
  manages('Shops', 'GET /shops'),
  manages('Spoolman', 'GET /spoolman'),
  manages('Home Assistant', 'GET /mqtt/broker'),
  manages('API keys', 'GET /api-keys'),
  manages('Webhooks', 'GET /webhooks'),
  manages('Automation', 'GET /automation-rules'),
  manages('Backups', 'GET /backups'),
  ownsTheFarm('Leave and arrive'),
  manages('Audit log', 'GET /audit'),
]
const profile = [
  ...settingsSide,
  ...reads('Email', 'Present password', 'New password', 'Show the password'),
  owns('Name', 'PUT /profile'),
  owns('Language', 'PUT /profile'),
  owns('Save', 'PUT /profile'),
  owns('Change the password', 'PUT /password'),
  owns('Add an authenticator app', 'POST /totp', 'POST /totp/confirm'),
  seldom(owns('New backup codes', 'POST /totp/backup-codes')),
  seldom(owns('Remove the app', 'POST /totp/remove')),
  // Where the service is opened by a name that browsers use passkeys for.
  seldom(owns('Add a passkey', 'POST /passkeys/options', 'POST /passkeys')),
  seldom(owns(/^Rename the passkey /, 'PATCH /passkeys/{id}')),
  seldom(owns(/^Remove the passkey /, 'DELETE /passkeys/{id}')),
]
const signIn = [...appearance, ...reads('Email', 'Password', 'Show the password', 'Sign in')]

/** Every page of the router. What is not named here is not there; what names routes is there for `who`, who alone may call them. */
export const pageControls: Record<string, readonly View[]> = {
  '/sign-in': [{ controls: signIn }],
  '/join': [{ controls: appearance }],
  '/proven': [{ controls: appearance }],
  // Who is not signed in does so first.
  '/second-factor': [{ controls: signIn }],
  '/setup': [
    {
      controls: [
        ...appearance,
        ...reads(
          'Set-up code',
          'Name of the farm',
          'Your name',
          'Email',
          'Password',
          'Show the password',
          'Time zone',
          'Begin',
        ),
      ],
    },
  ],
  '/forgot': [{ controls: [...appearance, ...reads('Email', 'Send a link')] }],
  '/reset-password': [
    {
      at: '/reset-password#$resetToken',
      controls: [...appearance, ...reads('New password', 'Show the password', 'Set password')],
    },
  ],
  '/take': [
    {
      controls: [...appearance, seldom(owns('I take it', 'POST /task-links/look', 'POST /task-links/take'))],
    },
  ],
  '/invitation': [
    {
      at: '/invitation#$invitationToken',
      controls: [...appearance, ...reads('Email', 'Your name', 'Password', 'Show the password', /^Join /)],
    },
  ],

  '/': [
    { controls: firstSteps },
    {
      within: '.shell-head',
      controls: [
        ...ownAppearance,
        ...reads('Find anything', /^Account menu of /, 'Profile and password', 'Documentation'),
        owns('Sign out', 'POST /sign-out'),
      ],
    },
    {
      within: '.shell-side',
      controls: reads(
        ...['Overview', 'Printers', 'Queue', 'Worklist', 'Orders', 'History', 'Files', 'Labels', 'Hubs', 'Settings'],
        ...['Products', 'Stock', 'Materials', 'Reports', 'Production', 'Assembly', 'Wiki'],
      ),
    },
  ],
  '/printers': [
    { controls: [...printerList, ...printerCards] },
    { at: '/printers?as=cameras', controls: printerList },
    {
      at: '/printers?as=table',
      controls: [...printerList, acts(/^Select /, 'POST /printers/{id}/control', 'PATCH /printers/{id}')],
    },
  ],
  '/printers/wall': [{ within: 'body', controls: [] }],
  '/printers/$printerId': [{ controls: onePrinter }],
  '/queue': [
    {
      controls: [
        ...reads('List', 'Timeline', 'Search', 'Printer', 'Filament', 'Priority'),
        ...reads(named('Why ', ' waits: .+')),
        moreRows,
        seldom(
          acts(
            /^(Enter it|Clear it|Clear them all|Let it start|Let them all start|Enter it for all)…$/,
            'PATCH /printers/{id}',
            'POST /printers/{id}/control',
          ),
        ),
        ...reads(/^To (the printers|North \d|South \d)$/).map(seldom),
        acts('Print a file', 'POST /jobs', 'POST /jobs/preview'),
        acts(named('Select '), 'POST /jobs/{id}/cancel'),
        acts(named('Move ', ', number \\d+ of \\d+\\. Arrow keys move it'), 'PATCH /jobs/{id}'),
        acts('can be dragged', 'PATCH /jobs/{id}'),
        acts(named('Actions for ')),
        acts(/^Move (to the top|up|down|to…)$/, 'PATCH /jobs/{id}'),
        acts(/^Start (now on…|on .* now…)$/, 'POST /jobs/{id}/start', 'POST /jobs/{id}/assign'),
        acts('Assign a printer…', 'POST /jobs/{id}/assign'),
        acts('Priority, due date, filament…', 'PATCH /jobs/{id}'),
        acts('Cancel', 'POST /jobs/{id}/cancel', 'POST /jobs/{id}/restore'),
        acts('Stop and cancel…', 'POST /jobs/{id}/cancel'),
        acts('Resume…', 'POST /jobs/{id}/resume'),
        seldom(acts('Pause…', 'POST /jobs/{id}/pause')),
        seldom(acts('Say what became of it…', 'POST /jobs/{id}/resolve')),
      ],
    },
    {
      at: '/queue?view=timeline',
      controls: [
        ...reads('List', 'Timeline', '12 h', '24 h', '3 days', '7 days'),
        acts('Print a file', 'POST /jobs'),
        seldom(acts('can be dragged', 'POST /jobs/{id}/assign')),
      ],
    },
  ],
  '/failures': [
    {
      controls: [
        ...reads('Not looked into', 'All', 'Report'),
        seldom(acts(/^(Looked into|Open again): /, 'PATCH /analytics/failures/{id}')),
        ...[/^(Did not stick|Spaghetti|Layers shifted|Nozzle clogged|Filament ran out)$/].map((name) =>
          seldom(acts(name, 'PATCH /analytics/failures/{id}')),
        ),
        seldom(acts(/^(Power cut|Mechanics|File|Something else)$/, 'PATCH /analytics/failures/{id}')),
      ],
    },
  ],
  '/history': [
    {
      controls: [
        ...reads('State', 'Printer', 'File', 'From', 'To'),
        moreRows,
        acts(named('Print ', ' again'), 'POST /jobs'),
        acts(named('Retry '), 'POST /jobs/{id}/retry'),
      ],
    },
  ],
  '/jobs/$jobId': [
    { controls: now('Resume', 'Stop') },
    {
      at: '/jobs/$queuedJobId',
      controls: [
        ...now('Start now', 'Assign', 'Change', 'Cancel'),
        ...reads(/ (\d+ rules? in the way|Could start it)$/, 'Clear the plate'),
      ],
    },
    { at: '/jobs/$failedJobId', controls: now('Retry', 'Print again') },
    { at: '/jobs/$cancelledJobId', controls: now('Print again') },
  ],
  '/files': [
    {
      controls: [
        ...reads('Search files', 'Tag', 'Order', 'Table', 'Grid'),
        acts(named('Select '), 'PATCH /files/{id}', 'DELETE /files/{id}'),
        moreRows,
        acts('Upload print files', 'POST /files/upload-url'),
        acts('Print files to upload', 'POST /files/upload-url', 'POST /files'),
        acts('takes files', 'POST /files'),
        acts(named('Print this: '), 'POST /jobs'),
        acts(named('Actions for ')),
        // Of each file; who has a menu finds it there.
        ...reads(named('Download ')).map((each) => ({ ...each, who: ['viewer'] as const })),
        acts('Download'),
        acts('Rename…', 'PATCH /files/{id}'),
        acts('Tags…', 'PATCH /files/{id}'),
        acts('Delete…', 'DELETE /files/{id}'),
      ],
    },
  ],
  '/files/$fileId': [
    {
      controls: [
        ...reads('Download'),
        acts('Print this', 'POST /jobs'),
        acts('Rename', 'PATCH /files/{id}'),
        acts('Tags', 'PATCH /files/{id}'),
        acts('Delete', 'DELETE /files/{id}'),
        acts('Upload a new version', 'POST /files/upload-url', 'POST /files/{id}/versions'),
        acts('takes files', 'POST /files/{id}/versions'),
        acts('Make version 1 current', 'PUT /files/{id}/versions/{version}/current'),
      ],
    },
  ],
  '/products': [
    {
      controls: [
        ...reads('Search', 'Category', 'State'),
        moreRows,
        acts('Add a product', 'POST /products'),
        acts('Add a kit', 'POST /products/kit'),
      ],
    },
  ],
  '/products/$productId': [
    {
      controls: [
        acts('Edit', 'PATCH /products/{id}'),
        acts('Delete', 'DELETE /products/{id}'),
        seldom(acts('Put back into use', 'PATCH /products/{id}')),
        acts('Add a SKU', 'POST /skus'),
        acts('Add a recipe', 'POST /recipes'),
        acts(/^Actions for /),
        acts('Edit…', 'PATCH /skus/{id}', 'PATCH /recipes/{id}'),
        acts(/^(Take out of|Put into) use$/, 'PATCH /skus/{id}', 'PATCH /recipes/{id}'),
        acts('Delete…', 'DELETE /skus/{id}', 'DELETE /recipes/{id}'),
        acts(/^(Make it a kit|Edit the kit)$/, 'PUT /products/{id}/kit'),
        acts('Add pictures', 'POST /products/{id}/images'),
        acts('takes files', 'POST /products/{id}/images'),
        seldom(acts('can be dragged', 'PUT /products/{id}/images/order')),
        seldom(acts(/^Move picture \d+ (forward|back)$/, 'PUT /products/{id}/images/order')),
        seldom(acts(/^Delete picture \d+$/, 'DELETE /products/{id}/images/{imageId}')),
      ],
    },
  ],
  '/skus/$skuId': [
    {
      controls: [
        acts('Put together', 'POST /skus/{id}/assemble'),
        acts('Edit', 'PATCH /skus/{id}'),
        acts('Delete', 'DELETE /skus/{id}'),
        acts('Set the shelf', 'PATCH /skus/{id}'),
        acts('Edit the bill', 'PUT /skus/{id}/bom'),
      ],
    },
  ],
  '/stock': [
    {
      controls: [
        ...reads('Search', 'Bin', 'State', 'Items', 'What is short, as CSV', 'Print bin labels'),
        moreRows,
        acts(/^Actions for /),
        acts(/^(Restock|Count|Adjust)…$/, 'POST /inventory/{id}/adjust'),
      ],
    },
  ],
  '/stock/$itemId': [
    {
      controls: [
        ...reads('Print label'),
        moreRows,
        acts('Restock', 'POST /inventory/{id}/adjust'),
        acts('Count', 'POST /inventory/{id}/adjust'),
        acts('Adjust', 'POST /inventory/{id}/adjust'),
        acts('Edit', 'PATCH /inventory/{id}'),
        acts('Take out of use', 'DELETE /inventory/{id}'),
        seldom(acts('Bring it back', 'POST /inventory')),
      ],
    },
  ],
  '/materials': [
    { controls: materialList('filament', 'Add a spool', 'Weigh…') },
    { at: '/materials?kind=components', controls: materialList('components', 'Add a component', 'Count…') },
    { at: '/materials?kind=packaging', controls: materialList('packaging', 'Add packaging', 'Count…') },
    // The farm has none of these.
    { at: '/materials?kind=parts', controls: materialList('parts', 'Add a part', 'Count…', true) },
    {
      at: '/materials?tab=forecast',
      controls: [...materialTabs, ...reads(/^(To buy|Filament|Spools on printers), as CSV$/).map(seldom)],
    },
  ],
  '/materials/$kind/$materialId': [
    {
      controls: [
        ...reads('Print label'),
        manages(/^Price of a (kilogram|piece), in [A-Z]{3}$/, 'PUT /costs/materials/{id}'),
        manages('Save the price', 'PUT /costs/materials/{id}'),
        moreRows,
        acts('Restock', 'POST /materials/filament/{id}/restock'),
        acts('Take some', 'POST /materials/filament/{id}/consume'),
        acts('Weigh', 'PATCH /materials/filament/{id}'),
        acts(/^Load( elsewhere)?$/, 'PATCH /materials/filament/{id}'),
        seldom(acts('Take off', 'PATCH /materials/filament/{id}')),
        acts('Edit', 'PATCH /materials/filament/{id}'),
        acts(
          'Delete',
          ...(['filament', 'components', 'packaging', 'parts'] as const).map(
            (kind) => `DELETE /materials/${kind}/{id}` as const,
          ),
        ),
      ],
    },
  ],
  '/production': [
    {
      controls: [
        ...productionTabs,
        ...reads('Search', 'Due', 'For', 'State'),
        moreRows,
        acts(/^Produce (all|these)$/, 'POST /production/produce'),
        acts(/^Select /, 'POST /production/produce'),
      ],
    },
    {
      at: '/production?tab=shelf',
      controls: [
        ...productionTabs,
        ...reads('Search'),
        moreRows,
        acts('Keep a SKU on the shelf', 'PATCH /skus/{id}'),
        seldom(acts(/^(Fill up from|Up to), /, 'PATCH /skus/{id}')),
        seldom(acts(/^Queue what is missing of .+ by itself$/, 'PATCH /skus/{id}')),
      ],
    },
    {
      at: '/production?tab=unwanted',
      controls: [
        ...productionTabs,
        seldom(acts('Cancel all of them…', 'POST /jobs/{id}/cancel', 'PATCH /assembly/{id}')),
      ],
    },
  ],
  '/assembly': [{ controls: [...reads('State', 'Kind'), moreRows] }],
  '/assembly/$assemblyId': [
    {
      controls: [
        acts('Begin', 'PATCH /assembly/{id}'),
        acts('Cancel the task…', 'PATCH /assembly/{id}'),
        ...[/^One (fewer|more): (Put together|Rejected)$/, 'Put together', 'Rejected', /^Book \d+ units?$/].map(
          (name) => acts(name, 'POST /assembly/{id}/complete'),
        ),
      ],
    },
  ],
  '/wiki': [
    {
      controls: [...reads('Search', 'Category', 'State'), moreRows, acts('Write an article', 'POST /wiki')],
    },
  ],
  '/wiki/$articleId': [
    {
      controls: [...reads('Read', 'Revisions'), ...articleButtons],
    },
    {
      at: '/wiki/$articleId?tab=revisions',
      controls: [
        ...reads('Read', 'Revisions'),
        ...articleButtons,
        moreRows,
        seldom(acts('Bring it back…', 'PATCH /wiki/{idOrSlug}')),
      ],
    },
  ],
  '/wiki/$articleId/edit': [
    {
      controls: [
        ...['Write', 'Preview', 'Title', 'In a sentence', 'Category', 'Shown when this SKU is put together'].map(
          editsArticle,
        ),
        ...['Minutes that it takes', 'Difficulty', 'Tools to have at hand', 'Tags', 'Text of the article'].map(
          editsArticle,
        ),
        ...['Add a section', 'Save', 'Back', 'Kind', 'Heading', 'Text', 'Warnings, one a line'].map(editsArticle),
        ...[/^Move section \d+ (up|down)$/, /^Remove section \d+$/].map(editsArticle),
        acts('Add pictures', 'POST /wiki/{id}/images'),
        acts('takes files', 'POST /wiki/{id}/images'),
        acts(/^(Add a picture to|Change the picture of) section \d+$/, 'POST /wiki/{id}/images'),
        seldom(acts(/^Take it off: the picture of section \d+$/, 'PATCH /wiki/{idOrSlug}')),
        seldom(acts(/^Remove /, 'PATCH /wiki/{idOrSlug}')),
      ],
    },
  ],
  '/reports': [
    { controls: [...reportSide, ...reads('By SKU, as CSV', 'By printer, as CSV', 'By day, as CSV')] },
    {
      at: '/reports?report=revenue',
      controls: [...reportSide, ...reads('By platform, as CSV', 'By SKU, as CSV', 'By day, as CSV')],
    },
    {
      at: '/reports?report=margin',
      controls: [
        ...reportSide,
        ...['Margin by SKU, as CSV', 'Margin by order, as CSV', 'Margin by day, in figures, as CSV'].map((name) =>
          manages(name, 'GET /costs/margin'),
        ),
      ],
    },
    {
      at: '/reports?report=yield',
      controls: [
        ...reportSide,
        ...reads('What cost units, as CSV', 'By file, as CSV', 'By printer, as CSV', 'By material, as CSV'),
      ],
    },
    {
      at: '/reports?report=promises',
      controls: [...reportSide, ...reads('By week, as CSV', 'By platform, as CSV', 'The latest orders, as CSV')],
    },
    { at: '/reports?report=idle', controls: reportSide },
  ],
  '/hubs': [{ controls: [moreRows, manages('Add a hub', 'POST /hubs')] }],
  '/hubs/$hubId': [
    {
      controls: [
        acts(/^More about /),
        acts('Rename', 'PATCH /hubs/{id}'),
        manages(/^(Replace the token|Make a join code)$/, 'POST /hubs/{id}/join-code'),
        acts(/^Remove/, 'DELETE /hubs/{id}'),
        acts('Search now', 'POST /hubs/{id}/discover'),
        acts('Look at an address', 'POST /hubs/{id}/discover'),
        acts('Look there', 'POST /hubs/{id}/discover'),
        acts('Add a printer', 'POST /hubs/{id}/test-connection', 'POST /printers'),
        seldom(acts(/^Adopt /, 'POST /hubs/{id}/test-connection', 'POST /printers')),
      ],
    },
  ],
  '/worklist': [
    {
      controls: [
        ...reads('Scan'),
        ...taskFilters,
        moreRows,
        ...taskButtons,
        ...taskTitles,
        acts('New task', 'POST /worklist'),
        acts(/^Move “/),
        acts(/^(Pending|In progress|Done)$/, 'PUT /worklist/{id}/status'),
        acts('can be dragged', 'PUT /worklist/{id}/status'),
        acts('Details, assign, call off', 'PUT /worklist/{id}/assign'),
      ],
    },
    {
      isOnPhone: true,
      controls: [
        ...reads('Scan'),
        ...taskFilters,
        moreRows,
        ...taskButtons,
        ...taskTitles,
        acts('New task', 'POST /worklist'),
      ],
    },
    {
      at: '/worklist?task=$taskId',
      within: '[role="dialog"]',
      controls: [
        ...reads('Close'),
        acts('Begin', 'PUT /worklist/{id}/status'),
        acts('Done', 'PUT /worklist/{id}/status'),
        acts('Call off', 'PUT /worklist/{id}/status'),
        acts('Who does it', 'PUT /worklist/{id}/assign'),
      ],
    },
  ],
  '/orders': [
    {
      controls: [
        ...reads('Search', 'State', 'Platform', 'To ship', 'Lines', 'Lines to map'),
        moreRows,
        acts('New order', 'POST /orders'),
        acts('Import', 'POST /orders/import'),
      ],
    },
  ],
  '/orders/$orderId': [
    {
      controls: [
        ...reads('Packing slip', 'Packing slip of parcel 1', 'Picking list', 'Print label'),
        seldom(acts(/^Hold units for .+…$/, 'POST /orders/{id}/items/{itemId}/hold')),
        acts('Ship', 'POST /orders/{id}/fulfill'),
        acts('Return', 'POST /orders/{id}/returns'),
        acts('Change', 'PATCH /orders/{id}'),
        acts('Produce', 'POST /orders/{id}/plan', 'POST /orders/{id}/produce'),
        acts(/^More for order /),
        acts('Cancel the order…', 'DELETE /orders/{id}'),
        acts('Mark as refunded…', 'PATCH /orders/{id}'),
        acts('Erase the customer…', 'POST /orders/{id}/erase-customer'),
        ...mapping,
      ],
    },
  ],
  '/orders/unmapped': [
    { controls: [moreRows, ...mapping, acts(/^Forget the mapping of /, 'DELETE /listing-maps/{id}')] },
  ],
  '/orders/new': [
    {
      controls: [
        ...['SKU', 'Pieces', 'Price of one', 'Personalisation', 'Add a line', 'Order number', 'Platform'].map(orders),
        ...['Shop', 'Currency', 'Priority', 'To ship by', 'Shipping', 'Tax', 'Discount', 'Notes', 'Name'].map(orders),
        orders('The customer has paid'),
        ...['Email', 'Telephone', 'Street and number', 'Postal code', 'City', 'State or region', 'Country'].map(orders),
        orders('Record the order'),
      ],
    },
  ],
  '/orders/import': [
    {
      controls: ['CSV file', 'Where it comes from', 'Shop', 'Currency', 'Preview', 'takes files'].map((name) =>
        acts(name, 'POST /orders/import'),
      ),
    },
  ],
  '/labels': [
    {
      controls: reads(
        ...['Size', 'Print', 'Printers', 'Spools', 'Stock', 'Orders', 'Search', /^Take all \d+$/],
        ...[/^(North|South|Spare) \d+ \(/],
      ),
    },
  ],
  '/scan': [
    { controls: [...reads('Scanned code', 'Scan with the camera'), owns('Open', 'POST /materials/filament/scan')] },
  ],
  '/s/$id': [
    { controls: onePrinter },
    {
      at: '/s/$tendedPrinterId',
      controls: [...reads('More about it', 'Scan the next', /^All about /), acts('Done', 'PUT /worklist/{id}/status')],
    },
  ],

  '/settings/': [{ controls: profile }],
  '/settings/profile': [{ controls: profile }],
  '/settings/account': [
    {
      controls: [
        ...settingsSide,
        manages('Name of the farm', 'PATCH /account'),
        manages('Time zone', 'PATCH /account'),
        manages(/^Print rejected units again/, 'PATCH /account'),
        manages(/^Members need a second factor/, 'PATCH /account'),
        acts(/^Working hours/, 'PATCH /scheduler/settings'),
        acts('Printers that heat up at once', 'PATCH /scheduler/settings'),
        acts('Least time between two starts, in seconds', 'PATCH /scheduler/settings'),
        acts('Currency', 'PATCH /orders/settings'),
        acts('Handling days', 'PATCH /orders/settings'),
        acts('What orders need is queued', 'PATCH /orders/settings'),
        acts(/^Ship lines as they become ready/, 'PATCH /orders/settings'),
        acts(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/, 'PATCH /orders/settings'),
        acts('Save', 'PATCH /scheduler/settings', 'PATCH /orders/settings'),
      ],
    },
  ],
  '/settings/members': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Invite a person', 'POST /invitations', 'GET /invitations'),
        manages(/^Withdraw the invitation of /, 'DELETE /invitations/{id}'),
        // Everybody has a row of their own, from which they may leave.
        owns('Change You'),
        owns('Leave this account', 'DELETE /members/{id}'),
        {
          name: 'Change Colleague',
          who: managing,
          calls: [
            'PATCH /members/{id}',
            'DELETE /members/{id}',
            'POST /members/{id}/reset-link',
            'DELETE /members/{id}/sessions',
          ],
          of: 'colleagueMemberId',
        },
        {
          name: 'Change Owner',
          who: ['owner'],
          calls: [
            'PATCH /members/{id}',
            'DELETE /members/{id}',
            'POST /members/{id}/reset-link',
            'DELETE /members/{id}/sessions',
          ],
          of: 'ownerMemberId',
        },
        manages('Change the role', 'PATCH /members/{id}'),
        manages('Link for a new password', 'POST /members/{id}/reset-link'),
        manages('End all sessions', 'DELETE /members/{id}/sessions'),
        manages('Remove'),
      ],
    },
  ],
  '/settings/api-keys': [
    {
      controls: [
        ...settingsSide,
        manages('Make an API key', 'POST /api-keys'),
        manages(/^Revoke the key /, 'DELETE /api-keys/{id}'),
        seldom(manages('Show more')),
      ],
    },
  ],
  '/settings/webhooks': [{ controls: [...settingsSide, moreRows, manages('Add a webhook', 'POST /webhooks')] }],
  '/settings/webhooks/$webhookId': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        ...['All', 'Waiting', 'Delivered', 'Failed'].map((name) => manages(name, 'GET /webhooks/{id}/deliveries')),
        manages('Send a test call', 'POST /webhooks/{id}/test'),
        manages(/^(Pause|Resume)$/, 'PATCH /webhooks/{id}'),
        manages(/^More about the webhook to /),
        manages('Change…', 'PATCH /webhooks/{id}'),
        manages('Redeliver a stretch of time…', 'POST /webhooks/{id}/redeliver'),
        manages('New secret…', 'POST /webhooks/{id}/rotate-secret'),
        manages('Delete…', 'DELETE /webhooks/{id}'),
        manages(/^Redeliver .* of /, 'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver'),
      ],
    },
  ],
  '/settings/home-assistant': [
    {
      controls: [
        ...settingsSide,
        seldom(manages('Set up a broker', 'PATCH /mqtt/broker')),
        seldom(manages('Test the connection', 'POST /mqtt/broker/test')),
        seldom(manages('Change…', 'PATCH /mqtt/broker')),
        seldom(manages(/^Switch (on|off)$/, 'PATCH /mqtt/broker')),
        seldom(manages('Remove…', 'DELETE /mqtt/broker')),
        seldom(manages('Add a smart plug', 'POST /smart-plugs')),
        seldom(manages(/^More about the plug of /)),
        seldom(manages(/^Switch (on|off…)$/, 'POST /smart-plugs/{id}/switch')),
        seldom(manages('Change…', 'PATCH /smart-plugs/{id}')),
        seldom(manages('Remove…', 'DELETE /smart-plugs/{id}')),
      ],
    },
  ],
  '/settings/shops': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Connect a shop', 'POST /shops'),
        seldom(manages(/not (recorded|taken)/, 'GET /shops/{id}/troubles')),
        seldom(manages(/^More about the shop /)),
        seldom(manages('Test the connection', 'POST /shops/{id}/test')),
        seldom(manages('Read now', 'POST /shops/{id}/read')),
        seldom(manages('Change…', 'PATCH /shops/{id}')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /shops/{id}')),
        seldom(manages('Let Printyard in at Etsy…', 'POST /shops/{id}/authorise', 'POST /shops/authorised')),
        seldom(manages('Disconnect…', 'DELETE /shops/{id}')),
      ],
    },
  ],
  '/settings/spoolman': [
    {
      controls: [
        ...settingsSide,
        manages('Connect Spoolman', 'POST /spoolman'),
        manages('Test the connection', 'POST /spoolman/test'),
        manages('Address of Spoolman'),
        manages('Who leads'),
        manages(/^Tell Spoolman what prints used/),
        seldom(manages('Save', 'PATCH /spoolman')),
        seldom(manages('Read now', 'POST /spoolman/read')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /spoolman')),
        seldom(manages('Disconnect…', 'DELETE /spoolman')),
        seldom(manages(/^(Tell it again|It is there)$/, 'POST /spoolman/usages/{id}/settle', 'GET /spoolman/usages')),
      ],
    },
  ],
  '/settings/notifications': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        owns('Notify me on this device', 'GET /push-key', 'POST /push-devices'),
        seldom(owns('Send a test', 'POST /push-devices/{id}/test', 'POST /notification-channels/{id}/test')),
        seldom(owns('Remove', 'DELETE /push-devices/{id}')),
        manages('Add a channel', 'POST /notification-channels'),
        manages('Add a rule', 'POST /notification-rules'),
        ...['All', 'Waiting', 'Sent', 'Failed'].map((name) => manages(name, 'GET /notifications')),
        seldom(manages(/^More about the (channel|rule) /)),
        seldom(manages('Change…', 'PATCH /notification-rules/{id}')),
        seldom(manages(/^Turn (on|off)$/, 'PATCH /notification-rules/{id}')),
        seldom(manages(/^(Pause|Resume)$/, 'PATCH /notification-channels/{id}')),
        seldom(manages('Delete…', 'DELETE /notification-rules/{id}', 'DELETE /notification-channels/{id}')),
      ],
    },
  ],
  '/settings/automation': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        manages('Add a rule', 'POST /automation-rules'),
        ...['All', 'Acted', 'On trial', 'Counted', 'Held back'].map((name) => manages(name, 'GET /automation-runs')),
        seldom(manages(/^More about the rule /)),
        seldom(manages('Change…', 'PATCH /automation-rules/{id}')),
        seldom(manages(/^(Turn on|Try it|Turn off)$/, 'PATCH /automation-rules/{id}')),
        seldom(manages('Delete…', 'DELETE /automation-rules/{id}')),
      ],
    },
  ],
  '/settings/sessions': [
    {
      controls: [
        ...settingsSide,
        moreRows,
        owns('Sign out everywhere', 'POST /sign-out/everywhere'),
        owns(/^Sign out /, 'DELETE /sessions/{id}'),
      ],
    },
  ],
  '/settings/tasks': [
    {
      controls: [
        ...settingsSide,
        acts('Collecting prints', 'PUT /worklist/assignment-defaults'),
        acts('Changing filament', 'PUT /worklist/assignment-defaults'),
        acts('Quality checks', 'PUT /worklist/assignment-defaults'),
        acts('Assembly', 'PUT /worklist/assignment-defaults'),
        acts('Maintenance', 'PUT /worklist/assignment-defaults'),
        acts('All other tasks', 'PUT /worklist/assignment-defaults'),
      ],
    },
  ],
  '/settings/costs': [
    {
      controls: [
        ...settingsSide,
        ...[
          'Currency of costs',
          'Watts of a printer',
          'Minutes for a plate',
          'Minutes to put a unit together',
          'Minutes for an order',
          'Add a filament type',
          'Add a fee',
          'Add a model',
          'Add a printer',
          'Save',
        ].map((name) => manages(name, 'PATCH /costs/settings')),
        manages(/^(Machine hour|Kilowatt hour|Hour of a person), in [A-Z]{3}$/, 'PATCH /costs/settings'),
      ],
    },
  ],
  '/settings/backups': [
    {
      controls: [
        ...settingsSide,
        manages('Back up now', 'POST /backups'),
        ...[/^A backup every day/, 'Hour of the day, in UTC', 'Days kept', 'Weeks kept', 'Months kept', 'Save'].map(
          (name) => manages(name, 'PATCH /backups/schedule'),
        ),
      ],
    },
  ],
  '/settings/leaving': [
    {
      controls: [
        ...settingsSide,
        ownsTheFarm('Copy'),
        { name: 'Download everything', who: ['owner'], calls: ['GET /account/export'] },
      ],
    },
  ],
  '/settings/audit': [
    {
      controls: [
        ...settingsSide,
        ...['Who', 'What', 'ID of the thing', 'From', 'To', 'Show more'].map((name) => manages(name, 'GET /audit')),
      ],
    },
  ],
}

/** Routes that no one presses a control for that others may not: before sign-in, and of one's own. */
export const routesOfTheirOwn: readonly RouteName[] = [
  'POST /setup',
  'POST /sign-in',
  'POST /password/forgot',
  'POST /password/reset',
  'POST /invitations/look',
  'POST /invitations/accept',
  'PUT /session/account',
  'POST /oidc/start',
  'POST /oidc/invitations/accept',
  'POST /passkeys/sign-in/options',
  'POST /passkeys/sign-in',
  // Done by what is scanned, once a tag was that is on no spool.
  'POST /materials/filament/{id}/tags',
  'POST /proof',
  'POST /proof/passkey/options',
  'POST /proof/passkey',
  'POST /proof/provider',
]

/** Every control of the table that names routes. */
export const callingControls: readonly Control[] = Object.values(pageControls)
  .flat()
  .flatMap(({ controls }) => controls)
  .filter(({ calls }) => calls.length > 0)

const missing = ' is missing'

/**
 * How what is shown to a person differs from the table: what is missing, what is there in spite of their role, and what
 * the table does not know.
 */
export function findControlFaults(shown: readonly string[], controls: readonly Control[], role: MemberRole): string[] {
  const own = controls.filter(({ who }) => who.includes(role))
  const absent = own
    .filter(({ name, isSeldom }) => !isSeldom && !shown.some((each) => isNamed(each, name)))
    .map(({ name }) => `${name}${missing}`)
  const excess = shown
    .filter((each) => !own.some(({ name }) => isNamed(each, name)))
    .map((each) =>
      controls.some(({ name }) => isNamed(each, name)) ? `${each} is not for them` : `${each} is unlisted`,
    )
  return [...absent, ...excess]
}

/** Whether a fault of `findControlFaults` is that something is not there, which may only be late. */
export const isMissing = (fault: string): boolean => fault.endsWith(missing)

function isNamed(shown: string, name: string | RegExp): boolean {
  return typeof name === 'string' ? shown === name : name.test(shown)
}
