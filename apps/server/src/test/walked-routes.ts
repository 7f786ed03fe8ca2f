import type { Scope } from '../kernel/actor.ts'
import type { Role } from '../kernel/policy.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Row = readonly [method: Method, path: string, scope: Scope | null, body?: object | ((own: Own) => object)]

/** Routes under a scope that are for more than the least role that may use it, and take the scope `control` besides. */
export const joining: ReadonlySet<string> = new Set(['POST /hubs', 'POST /hubs/:id/join-code'])

/** Routes under a scope that people below admins may not call. */
export function forAdmins(method: Method, path: string): boolean {
  return joining.has(`${method} ${path}`) || path.startsWith('/webhooks')
}

/** What the one who asks has of their own and a body may need. */
export interface Own {
  uploadToken: string
}

/**
 * Every route under /public/v1 with the scope that it is to need (null: none, and no key) and the smallest body that it
 * takes. A new route fails here until it is added.
 */
export const routes: readonly Row[] = [
  ['GET', '/openapi.json', null],

  ['POST', '/printers', 'write', { name: 'New', model: 'MK4S', connection_type: 'virtual' }],
  ['GET', '/printers', 'read'],
  ['GET', '/printers/live', 'read'],
  ['GET', '/printer-models', 'read'],
  ['GET', '/printers/:id', 'read'],
  ['PATCH', '/printers/:id', 'write', { name: 'Stolen' }],
  ['DELETE', '/printers/:id', 'write'],
  ['PUT', '/printers/:id/maintenance', 'write', { in_maintenance: true }],
  ['GET', '/printers/:id/status', 'read'],
  ['GET', '/printers/:id/queue', 'read'],
  ['GET', '/printers/:id/snapshot', 'read'],
  ['GET', '/printers/:id/transfer', 'read'],
  ['POST', '/printers/:id/control', 'control', { action: 'clear_bed' }],
  ['POST', '/printers/:id/heaters', 'control', { bed: 0 }],
  ['POST', '/printers/:id/light', 'control', { state: 'off' }],
  ['POST', '/printers/:id/filament/load', 'control'],
  ['POST', '/printers/:id/filament/unload', 'control'],
  ['GET', '/printers/:id/timeline', 'read'],

  ['POST', '/jobs', 'write', { print_file_id: 'fil_x' }],
  ['GET', '/jobs', 'read'],
  ['GET', '/jobs/history', 'read'],
  ['GET', '/jobs/:id', 'read'],
  ['PATCH', '/jobs/:id', 'write', { priority: 'urgent' }],
  ['GET', '/jobs/:id/explain', 'read'],
  ['PUT', '/jobs/:id/product', 'write', { product_sku_id: null }],
  ['GET', '/jobs/:id/plan', 'read'],
  ['GET', '/jobs/queue', 'read'],
  ['GET', '/jobs/queue/counts', 'read'],
  ['GET', '/scheduler/settings', 'read'],
  ['PATCH', '/scheduler/settings', 'write', { heating_at_once: 1 }],
  ['POST', '/jobs/:id/start', 'control'],
  ['POST', '/jobs/:id/pause', 'control'],
  ['POST', '/jobs/:id/resume', 'control'],
  ['POST', '/jobs/:id/stop', 'control'],
  ['POST', '/jobs/:id/cancel', 'control'],
  ['POST', '/jobs/bulk', 'write', { jobs: [{}] }],
  ['POST', '/jobs/preview', 'write', { print_file_id: 'fil_x' }],
  ['GET', '/jobs/stats', 'read'],
  ['DELETE', '/jobs/:id', 'write'],
  ['POST', '/jobs/:id/assign', 'write', { printer_id: null }],
  ['POST', '/jobs/:id/retry', 'write'],
  ['POST', '/jobs/:id/restore', 'control'],
  ['POST', '/jobs/:id/complete', 'write'],
  ['POST', '/jobs/:id/resolve', 'write', { outcome: 'printed' }],

  ['POST', '/files/upload-url', 'write', { filename: 'clip.gcode' }],
  ['PUT', '/files/upload/:token', null],
  ['POST', '/files', 'write', ({ uploadToken }) => ({ upload_token: uploadToken })],
  ['GET', '/files', 'read'],
  ['GET', '/files/tags', 'read'],
  ['GET', '/files/:id', 'read'],
  ['GET', '/files/:id/uses', 'read'],
  ['PATCH', '/files/:id', 'write', { name: 'Stolen' }],
  ['DELETE', '/files/:id', 'write'],
  ['POST', '/files/:id/versions', 'write', ({ uploadToken }) => ({ upload_token: uploadToken })],
  ['PUT', '/files/:id/versions/:version/current', 'write'],
  ['GET', '/files/:id/thumbnail', 'read'],
  ['GET', '/files/:id/content', 'read'],

  ['POST', '/hubs', 'write', { name: 'New' }],
  ['GET', '/hubs', 'read'],
  ['GET', '/hubs/:id', 'read'],
  ['PATCH', '/hubs/:id', 'write', { name: 'Stolen' }],
  ['DELETE', '/hubs/:id', 'write'],
  ['POST', '/hubs/:id/join-code', 'write'],
  ['POST', '/hubs/:id/discover', 'write'],
  ['POST', '/hubs/:id/test-connection', 'write', { connection_type: 'virtual', connection: {} }],
  ['GET', '/hubs/:id/discovered', 'read'],

  ['POST', '/products', 'write', { name: 'New' }],
  ['GET', '/products', 'read'],
  ['GET', '/products/:id', 'read'],
  ['PATCH', '/products/:id', 'write', { name: 'Stolen' }],
  ['DELETE', '/products/:id', 'write'],
  ['GET', '/products/categories', 'read'],
  [
    'POST',
    '/products/kit',
    'write',
    { name: 'New kit', variants: [{ color: 'Red' }], parts: [{ name: 'Base', quantity_per_kit: 1 }] },
  ],
  [
    'PUT',
    '/products/:id/kit',
    'write',
    { name: 'Stolen', variants: [{ color: 'Red' }], parts: [{ name: 'Base', quantity_per_kit: 1 }] },
  ],
  ['GET', '/products/:id/images', 'read'],
  ['POST', '/products/:id/images', 'write', formWithFile],
  ['PUT', '/products/:id/images/order', 'write', { image_ids: [] }],
  ['DELETE', '/products/:id/images/:imageId', 'write'],

  ['POST', '/skus', 'write', { product_id: 'prd_x', sku: 'NEW' }],
  ['GET', '/skus', 'read'],
  ['GET', '/skus/:id', 'read'],
  ['PATCH', '/skus/:id', 'write', { color: 'stolen' }],
  ['DELETE', '/skus/:id', 'write'],
  ['GET', '/skus/:id/bom', 'read'],
  ['PUT', '/skus/:id/bom', 'write', { children: [], inventory: [] }],
  ['POST', '/skus/:id/assemble', 'write', { quantity: 1 }],

  ['POST', '/recipes', 'write', { product_id: 'prd_x', print_file_id: 'fil_x' }],
  ['GET', '/recipes', 'read'],
  ['GET', '/recipes/:id', 'read'],
  ['PATCH', '/recipes/:id', 'write', { notes: 'stolen' }],
  ['DELETE', '/recipes/:id', 'write'],
  ['POST', '/colors', 'write', { color_name: 'New', hex_code: '#FF0000' }],
  ['GET', '/colors', 'read'],
  ['PATCH', '/colors/:id', 'write', { color_name: 'Stolen' }],
  ['DELETE', '/colors/:id', 'write'],

  ['GET', '/inventory', 'read'],
  ['POST', '/inventory', 'write', { product_sku_id: 'sku_x' }],
  ['GET', '/inventory/alerts', 'read'],
  ['GET', '/inventory/stats', 'read'],
  ['GET', '/inventory/:id', 'read'],
  ['PATCH', '/inventory/:id', 'write', { image_url: 'https://example.com/stolen.jpg' }],
  ['DELETE', '/inventory/:id', 'write'],
  ['PUT', '/inventory/:id/threshold', 'write', { low_stock_threshold: 7 }],
  ['POST', '/inventory/:id/adjust', 'write', { adjustment: 1, reason: 'manual' }],
  ['GET', '/inventory/:id/movements', 'read'],

  ['POST', '/materials/filament', 'write', { type: 'PLA' }],
  ['GET', '/materials/filament', 'read'],
  ['GET', '/materials/filament/:id', 'read'],
  ['PATCH', '/materials/filament/:id', 'write', { brand: 'Stolen' }],
  ['DELETE', '/materials/filament/:id', 'write'],
  ['POST', '/materials/filament/:id/consume', 'write', { quantity: 1 }],
  ['POST', '/materials/filament/:id/restock', 'write', { quantity: 1 }],
  ['GET', '/materials/filament/:id/movements', 'read'],

  ['POST', '/materials/components', 'write', { name: 'New' }],
  ['GET', '/materials/components', 'read'],
  ['GET', '/materials/components/:id', 'read'],
  ['PATCH', '/materials/components/:id', 'write', { brand: 'Stolen' }],
  ['DELETE', '/materials/components/:id', 'write'],
  ['POST', '/materials/components/:id/consume', 'write', { quantity: 1 }],
  ['POST', '/materials/components/:id/restock', 'write', { quantity: 1 }],
  ['GET', '/materials/components/:id/movements', 'read'],

  ['POST', '/materials/packaging', 'write', { name: 'New' }],
  ['GET', '/materials/packaging', 'read'],
  ['GET', '/materials/packaging/:id', 'read'],
  ['PATCH', '/materials/packaging/:id', 'write', { brand: 'Stolen' }],
  ['DELETE', '/materials/packaging/:id', 'write'],
  ['POST', '/materials/packaging/:id/consume', 'write', { quantity: 1 }],
  ['POST', '/materials/packaging/:id/restock', 'write', { quantity: 1 }],
  ['GET', '/materials/packaging/:id/movements', 'read'],

  ['POST', '/materials/parts', 'write', { name: 'New' }],
  ['GET', '/materials/parts', 'read'],
  ['GET', '/materials/parts/:id', 'read'],
  ['PATCH', '/materials/parts/:id', 'write', { brand: 'Stolen' }],
  ['DELETE', '/materials/parts/:id', 'write'],
  ['POST', '/materials/parts/:id/consume', 'write', { quantity: 1 }],
  ['POST', '/materials/parts/:id/restock', 'write', { quantity: 1 }],
  ['GET', '/materials/parts/:id/movements', 'read'],
  ['GET', '/materials/settings', 'read'],
  ['GET', '/materials/forecast', 'read'],
  ['PATCH', '/materials/settings', 'write', { filament_margin_grams: 1 }],
  ['POST', '/materials/components/check-availability', 'read', { items: [{ id: 'mat_x', quantity: 1 }] }],

  ['POST', '/worklist', 'write', { title: 'New', task_type: 'collection' }],
  ['GET', '/worklist', 'read'],
  ['GET', '/worklist/stats', 'read'],
  ['GET', '/worklist/assignment-defaults', 'read'],
  ['PUT', '/worklist/assignment-defaults', 'write', { task_type: null, assigned_to: null }],
  ['GET', '/members', 'read'],
  ['GET', '/key', 'read'],
  ['GET', '/worklist/:id', 'read'],
  ['PATCH', '/worklist/:id', 'write', { title: 'Stolen' }],
  ['PUT', '/worklist/:id/status', 'write', { status: 'completed' }],
  ['PUT', '/worklist/:id/assign', 'write', { assigned_to: null }],
  ['DELETE', '/worklist/:id', 'write'],

  ['POST', '/assembly', 'write', { product_sku_id: 'sku_x', quantity: 1 }],
  ['GET', '/assembly', 'read'],
  ['GET', '/assembly/stats', 'read'],
  ['GET', '/assembly/:id', 'read'],
  ['PATCH', '/assembly/:id', 'write', { notes: 'Stolen' }],
  ['DELETE', '/assembly/:id', 'write'],
  ['POST', '/assembly/:id/complete', 'write', { quantity_completed: 1 }],

  ['POST', '/orders', 'write', { items: [{ product_sku_id: 'sku_x', quantity: 1, unit_price: 100 }] }],
  ['GET', '/orders', 'read'],
  ['GET', '/orders/stats', 'read'],
  ['GET', '/orders/settings', 'read'],
  ['PATCH', '/orders/settings', 'write', { handling_days: 3 }],
  ['GET', '/orders/:id', 'read'],
  ['GET', '/orders/:id/details', 'read'],
  ['PATCH', '/orders/:id', 'write', { notes: 'Stolen' }],
  ['DELETE', '/orders/:id', 'write'],
  ['POST', '/orders/:id/fulfill', 'write'],
  ['POST', '/orders/:id/items/:itemId/fulfill', 'write'],
  ['POST', '/orders/import', 'write'],
  ['GET', '/orders/:id/shipments', 'read'],
  ['GET', '/orders/:id/packing-slip', 'read'],
  ['GET', '/orders/:id/returns', 'read'],
  ['GET', '/orders/:id/picks', 'read'],
  ['POST', '/orders/:id/picks', 'write', { bin: 'A-03' }],
  ['GET', '/orders/:id/picking-list', 'read'],
  ['POST', '/orders/:id/returns', 'write', { items: [{ item_id: 'itm_x', quantity: 1, disposition: 'scrap' }] }],
  ['POST', '/orders/:id/items/:itemId/map', 'write', { product_sku_id: 'sku_x' }],
  ['POST', '/orders/:id/erase-customer', 'write'],
  ['GET', '/orders/:id/plan', 'read'],
  ['POST', '/orders/:id/plan', 'write'],
  ['POST', '/orders/:id/produce', 'write'],
  ['POST', '/orders/:id/items/:itemId/hold', 'write', { units: 1 }],
  ['POST', '/production/produce', 'write'],
  ['GET', '/production/needs', 'read'],
  ['GET', '/production/shelf', 'read'],
  ['GET', '/production/unwanted', 'read'],

  ['POST', '/listing-maps', 'write', { platform: 'etsy', seller_sku: 'NEW', product_sku_id: 'sku_x' }],
  ['GET', '/listing-maps', 'read'],
  ['GET', '/listing-maps/:id', 'read'],
  ['PATCH', '/listing-maps/:id', 'write', { pack_size: 7 }],
  ['DELETE', '/listing-maps/:id', 'write'],

  ['POST', '/wiki', 'write', { title: 'New' }],
  ['GET', '/wiki', 'read'],
  ['GET', '/wiki/categories', 'read'],
  ['GET', '/wiki/:idOrSlug', 'read'],
  ['PATCH', '/wiki/:idOrSlug', 'write', { title: 'Stolen' }],
  ['DELETE', '/wiki/:idOrSlug', 'write'],
  ['POST', '/wiki/:id/publish', 'write'],
  ['POST', '/wiki/:id/unpublish', 'write'],
  ['POST', '/wiki/:id/images', 'write', formWithFile],
  ['GET', '/wiki/:id/revisions', 'read'],
  ['GET', '/wiki/:id/revisions/:number', 'read'],

  ['GET', '/events', 'read'],
  ['GET', '/events/stream', 'read'],

  ['POST', '/webhooks', 'write', { url: 'https://erp.invalid/hook' }],
  ['GET', '/webhooks', 'read'],
  ['GET', '/webhooks/:id', 'read'],
  ['PATCH', '/webhooks/:id', 'write', { description: 'Stolen' }],
  ['DELETE', '/webhooks/:id', 'write'],
  ['POST', '/webhooks/:id/test', 'write'],
  ['POST', '/webhooks/:id/rotate-secret', 'write'],
  ['POST', '/webhooks/:id/redeliver', 'write', { from: '2026-01-01T00:00:00Z' }],
  ['GET', '/webhooks/:id/deliveries', 'read'],
  ['GET', '/webhooks/:id/deliveries/:deliveryId', 'read'],
  ['POST', '/webhooks/:id/deliveries/:deliveryId/redeliver', 'write'],

  ['GET', '/analytics/overview', 'read'],
  ['GET', '/analytics/production', 'read'],
  ['GET', '/analytics/printers', 'read'],
  ['GET', '/analytics/inventory', 'read'],
  ['GET', '/analytics/revenue', 'read'],
  ['GET', '/analytics/yield', 'read'],
  ['GET', '/analytics/promises', 'read'],
  ['GET', '/analytics/idle', 'read'],
  ['GET', '/analytics/hours', 'read'],
  ['GET', '/analytics/failures', 'read'],
  ['PATCH', '/analytics/failures/:id', 'write', { type: 'clog' }],
]

/** What these answer grows with every moment that passes. */
export const growing = [
  '/printers/:id/timeline',
  '/analytics/idle',
  '/analytics/hours',
  '/analytics/printers',
  '/events',
]

/** Of these every account has some. */
export const neverEmpty = ['/members', '/events', '/key']

/** What these answer depends on who of an account asks. */
export const ofCaller = ['/key']

/** What these answer has no end. */
export const endless = ['/events/stream']

/** What a browser hands over when its person subscribes. */
export const pushDevice = {
  name: 'Firefox',
  endpoint: 'https://push.example.invalid/1',
  keys: {
    p256dh: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
    auth: 'FPssNDTKnInHVndSTdbKFw',
  },
}

/**
 * Every route under /app/v1 that is not one of those above, with the least role that may call it (null: those who are not
 * signed in). Those above are there too, for the least role that has their scope.
 */
export const routesForPeople: readonly (readonly [method: Method, path: string, role: Role | null, body?: object])[] = [
  ['GET', '/setup', null],
  ['POST', '/setup', null, {}],
  ['POST', '/sign-in', null, {}],
  ['POST', '/sign-out', 'viewer'],
  ['GET', '/session', 'viewer'],
  ['PUT', '/session/account', 'viewer', { account_id: 'acc_x' }],
  ['GET', '/sessions', 'viewer'],
  ['DELETE', '/sessions/:id', 'viewer'],
  ['PUT', '/profile', 'viewer', { name: 'Stolen' }],
  ['PUT', '/password', 'viewer', { new_password: 'stolen password' }],
  ['GET', '/audit', 'admin'],
  ['GET', '/costs/settings', 'admin'],
  ['PATCH', '/costs/settings', 'admin', { watts: 1 }],
  ['GET', '/costs/materials/:id', 'admin'],
  ['PUT', '/costs/materials/:id', 'admin', { price: '1' }],
  ['GET', '/costs/skus/:id', 'admin'],
  ['GET', '/costs/jobs/:id', 'admin'],
  ['GET', '/costs/orders/:id', 'admin'],
  ['GET', '/costs/margin', 'admin'],
  ['GET', '/printers/:id/events', 'viewer'],
  ['GET', '/printers/:id/last-hour', 'viewer'],
  ['GET', '/printers/board', 'viewer'],
  ['GET', '/printers/day', 'viewer'],
  ['GET', '/jobs/queue/remedies', 'viewer'],
  ['GET', '/search', 'viewer'],
  ['GET', '/jobs/queue/timeline', 'viewer'],
  ['GET', '/work-cards', 'viewer'],
  ['GET', '/work-cards/:id', 'viewer'],

  ['POST', '/sign-out/everywhere', 'viewer'],
  ['GET', '/proof', 'viewer'],
  ['POST', '/proof', 'viewer', { password: 'guessed' }],
  ['POST', '/proof/provider', 'viewer', {}],
  ['POST', '/proof/passkey/options', 'viewer', {}],
  ['POST', '/proof/passkey', 'viewer', {}],
  ['GET', '/passkeys', 'viewer'],
  ['POST', '/passkeys/options', 'viewer', {}],
  ['POST', '/passkeys', 'viewer', {}],
  ['PATCH', '/passkeys/:id', 'viewer', { name: 'Stolen' }],
  ['DELETE', '/passkeys/:id', 'viewer'],
  ['POST', '/passkeys/sign-in/options', null, {}],
  ['POST', '/passkeys/sign-in', null, {}],
  ['POST', '/totp', 'viewer', {}],
  ['POST', '/totp/confirm', 'viewer', { code: '000000' }],
  ['POST', '/totp/remove', 'viewer', {}],
  ['POST', '/totp/backup-codes', 'viewer', {}],
  ['GET', '/oidc', null],
  ['POST', '/oidc/start', null, {}],
  ['GET', '/oidc/invitations', null],
  ['POST', '/oidc/invitations/accept', null, {}],
  ['GET', '/oidc/callback', null],
  ['POST', '/password/forgot', null, {}],
  ['POST', '/password/reset', null, {}],
  ['GET', '/invitations', 'admin'],
  ['POST', '/invitations', 'admin', { email: 'new@example.com', role: 'viewer' }],
  ['DELETE', '/invitations/:id', 'admin'],
  ['POST', '/invitations/look', null, {}],
  ['POST', '/invitations/accept', null, {}],
  ['PATCH', '/members/:id', 'admin', { role: 'viewer' }],
  ['DELETE', '/members/:id', 'viewer'],
  ['POST', '/members/:id/reset-link', 'admin'],
  ['GET', '/api-keys', 'admin'],
  ['POST', '/api-keys', 'admin', { name: 'New', scopes: ['read'] }],
  ['DELETE', '/api-keys/:id', 'admin'],
  ['GET', '/account', 'viewer'],
  ['PATCH', '/account', 'admin', { name: 'Stolen' }],
  ['GET', '/account/usage', 'admin'],
  ['GET', '/notifications', 'admin'],
  ['GET', '/notification-channels', 'admin'],
  ['POST', '/notification-channels', 'admin', { kind: 'slack', name: 'Chat', url: 'https://hooks.example.invalid/x' }],
  ['GET', '/notification-channels/:id', 'admin'],
  ['PATCH', '/notification-channels/:id', 'admin', { name: 'Chat' }],
  ['DELETE', '/notification-channels/:id', 'admin'],
  ['POST', '/notification-channels/:id/test', 'admin'],
  ['GET', '/notification-rules', 'admin'],
  ['POST', '/notification-rules', 'admin', { name: 'People', kinds: ['needs_person'] }],
  ['GET', '/notification-rules/:id', 'admin'],
  ['PATCH', '/notification-rules/:id', 'admin', { name: 'Needs a person' }],
  ['DELETE', '/notification-rules/:id', 'admin'],
  ['GET', '/push-key', 'viewer'],
  ['GET', '/push-devices', 'viewer'],
  ['POST', '/push-devices', 'viewer', pushDevice],
  ['POST', '/push-devices/:id/test', 'viewer'],
  ['DELETE', '/push-devices/:id', 'viewer'],
  ['POST', '/task-links/look', null, { token: 'x' }],
  ['POST', '/task-links/take', null, { token: 'x' }],
  ['GET', '/backups', 'admin'],
  ['POST', '/backups', 'admin'],
  ['PATCH', '/backups/schedule', 'admin', { hour: 3 }],
]

/** What these answer is the same for everybody, and belongs to no one. */
export const common = ['/printer-models']

/** As a browser sends a chosen file. */
function formWithFile(): FormData {
  const form = new FormData()
  form.append('image', new Blob(['GIF89a']), 'photo.gif')
  return form
}
