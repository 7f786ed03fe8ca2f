/**
 * Every error code of the API: status, and the sentence for people. Codes are for programs and keep their meaning for
 * ever; sentences may change. `{name}` in a sentence is filled in by anyone who throws. Each code has a page in docs/errors/.
 */
export const catalogue = {
  VALIDATION_ERROR: [400, 'The request is not valid; see details.'],
  NOT_FOUND: [404, 'No {resource} has this ID.'],
  METHOD_NOT_ALLOWED: [405, '{method} is not possible here; allowed: {allowed}.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than the {limit} allowed here.'],
  URI_TOO_LONG: [414, 'The address of the request has more than the {limit} characters allowed.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as {expected}.'],
  HEADERS_TOO_LARGE: [431, 'The header fields of the request have more than the {limit} bytes allowed together.'],

  UNAUTHORIZED: [401, 'Sign in, or send an API key: Authorization: Bearer <key>.'],
  TOKEN_INVALID: [401, 'This is not a valid API key.'],
  TOKEN_REVOKED: [401, 'This API key was revoked.'],
  TOKEN_EXPIRED: [401, 'This API key has expired.'],
  SESSION_EXPIRED: [401, 'You are no longer signed in.'],
  INVALID_CREDENTIALS: [401, 'The e-mail address or the password is wrong.'],
  CODE_REQUIRED: [401, 'Send the code of your authenticator app, or one of your backup codes, too.'],
  CODE_INVALID: [401, 'The code is wrong, or was used already.'],
  PROOF_REQUIRED: [403, 'Confirm your identity first: by your password, a code, a passkey or the provider.'],
  SECOND_FACTOR_REQUIRED: [403, 'This account requires a second factor: add one first.'],
  PASSKEY_INVALID: [401, 'This passkey is unknown here, or its answer cannot be used; try again.'],
  ORIGIN_REFUSED: [403, 'Changes are accepted only from pages of this service.'],
  HOST_REFUSED: [
    421,
    'This service does not answer browsers under the name "{host}". Open it by its address, or add the name to PRINTYARD_ALLOWED_HOSTS.',
  ],
  HTTPS_REQUIRED: [421, 'This service accepts HTTPS only: {url}.'],
  SETUP_CODE_INVALID: [403, 'Set-up needs the code that the service printed when it started.'],
  ALREADY_SET_UP: [409, 'This service is set up already; sign in instead.'],
  INSUFFICIENT_SCOPE: [403, 'This API key lacks the scope "{scope}".'],
  FORBIDDEN: [403, 'Your role does not allow you to {action}.'],
  RATE_LIMITED: [429, 'Too many requests; try again in {seconds} s.'],
  EVENTS_REMOVED: [
    410,
    'Events after this one have been removed: read the lists again, then continue from the newest event.',
  ],
  STREAM_LIMIT_REACHED: [429, 'There are {limit} open streams already; close one first.'],

  QUOTA_EXCEEDED: [409, 'The account has {used} of {limit} {what}; this would be more than the limit.'],

  PRECONDITION_FAILED: [
    412,
    'The resource has changed since the version named in If-Match: get it again, then decide.',
  ],
  NOT_OPERATOR: [
    403,
    'Several accounts share this service. Its backups are for the account that PRINTYARD_OPERATOR_ACCOUNT names.',
  ],
  BACKUP_RUNNING: [409, 'Another backup is being made. Wait for its end.'],
  EXPORT_RUNNING: [409, 'An export of this account is being downloaded. Wait for its end.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This Idempotency-Key was used for a different request.'],
  IDEMPOTENCY_IN_PROGRESS: [409, 'The first request with this Idempotency-Key is still running.'],

  FILE_NOT_FOUND: [404, 'No print file has the ID given in print_file_id.'],
  PRINTER_NOT_FOUND: [404, 'No printer has the ID given in printer_id.'],
  PRODUCT_NOT_FOUND: [404, 'No product has the ID given in product_id.'],
  SKU_NOT_FOUND: [404, 'No SKU has the ID given in the body.'],
  UNKNOWN_INVENTORY_ITEM: [404, 'No component or packaging has the ID given in inventory_item_id.'],
  HUB_NOT_FOUND: [404, 'No hub has the ID given in hub_id.'],
  FINISHED_GOOD_NOT_FOUND: [404, 'No inventory item has the ID given in finished_good_id.'],
  USER_NOT_FOUND: [404, 'No member of this account has the user ID given in assigned_to.'],

  FILE_NOT_UPLOADED: [400, 'Nothing was uploaded with this token: {why}.'],
  INVALID_FILE: [400, 'This file cannot be used: {why}'],
  FILE_NOT_SLICED: [400, 'The file "{name}" is not sliced: only sliced files can be printed.'],
  UPLOAD_TOKEN_INVALID: [404, 'This upload address is unknown, used or expired; ask for a new one.'],
  UPLOAD_INCOMPLETE: [400, 'The upload ended after {received} of {expected} bytes; nothing was stored.'],
  FILE_LINK_INVALID: [404, 'This file address is invalid or expired.'],
  MAX_VERSIONS_REACHED: [400, 'The file has reached the limit of {limit} versions; add it as a new file.'],
  RANGE_NOT_SATISFIABLE: [416, 'The file has {size} bytes; the requested range lies outside of it.'],
  JOIN_CODE_INVALID: [404, 'This join code is unknown, used or expired; make a new one.'],

  NO_RECIPE: [400, 'No recipe in use makes the SKU {sku}: add one, or name a print file.'],
  PRINTER_MODEL_MISMATCH: [400, 'The file is sliced for {file_model}, the printer is a {printer_model}.'],
  JOB_DOES_NOT_FIT: [400, 'The job does not fit the printer: {why}'],
  NO_PRINTER_ASSIGNED: [400, 'The job has no printer.'],
  NO_HUB_ASSIGNED: [400, 'The printer has no hub.'],
  PRINTER_UNAVAILABLE: [400, 'The printer cannot take a job: {why}.'],
  INVALID_STATE: [400, 'The printer is {status}: it cannot {action} now.'],
  JOB_STATE_CHANGED: [409, 'The job is {status}: it cannot {action} now.'],
  PRINTER_OUT_OF_REACH: [
    409,
    'The printer does not answer, so its print cannot be seen from here: it cannot {action}. Look at the printer; when the print is over, send seen_over: true.',
  ],
  COMMAND_NOT_SUPPORTED: [400, 'This printer cannot do that: {why}.'],
  HUB_OFFLINE: [503, 'The hub of this printer is not connected; nothing was sent.'],
  HUB_COMMAND_FAILED: [503, 'The printer did not carry out the command: {why}.'],

  LAST_OWNER: [409, 'An account needs at least one owner; make another member an owner first.'],
  INVITATION_INVALID: [404, 'This invitation is unknown, used, withdrawn or expired; ask for a new one.'],
  MAIL_REFUSED: [400, 'The mail server takes no mail for the address of this person.'],
  RESET_LINK_INVALID: [404, 'This link is unknown, used or expired; ask for a new one.'],

  TASK_LINK_INVALID: [404, 'This link is unknown, used or expired, or its task is over; open the worklist.'],
  TASK_TAKEN: [409, 'Another member has this task.'],
  TASK_ALREADY_COMPLETED: [400, 'The task is completed, and that is final.'],

  ALREADY_EXISTS: [409, 'There is another {resource} already.'],
  DUPLICATE_NAME: [409, 'Another {resource} has this name.'],
  DUPLICATE_SKU: [409, 'Another SKU has this code.'],
  DUPLICATE_ORDER_NUMBER: [409, 'Another order of this shop has this number.'],
  INVALID_PRODUCT_SKU: [400, 'Some lines do not name a SKU of this account; see details.'],
  ORDER_ALREADY_FULFILLED: [400, 'The order is already fulfilled.'],
  ORDER_CANNOT_FULFILL: [400, 'The order is {status}: it cannot be fulfilled.'],
  ORDER_HAS_OPEN_ITEMS: [409, 'Units of the order are still open ({open}): fulfil them first, or send force: true.'],
  ITEM_NOT_MAPPED: [400, 'The line is not mapped to a SKU yet: map it first; see details.'],
  ALL_ITEMS_FULFILLED: [400, 'All units of this order item are already fulfilled.'],
  DUPLICATE_SLUG: [409, 'Another article has this slug.'],
  DUPLICATE_COLOR: [409, 'Another colour has this name and filament type.'],
  IMAGE_CAP_REACHED: [409, 'The limit of {limit} images is reached.'],
  INSUFFICIENT_QUANTITY: [400, 'Only {available} left: not enough for this.'],
  INSUFFICIENT_STOCK: [400, 'Only {available} in stock: not enough for this.'],
  SKU_IN_USE_BY_ORDER: [409, 'The SKU {sku} is still needed: open orders name it.'],
  PART_IN_EXTERNAL_BOM: [409, 'The part {sku} cannot be removed: {users} is made of it too.'],
  PRINT_FILE_NOT_FOUND: [404, 'No print file has the ID given in print_file_id of a part.'],
  INSUFFICIENT_FOR_KIT: [400, 'There is not enough to put {units} together: {shortages}.'],
  RESOURCE_IN_USE: [409, 'The {resource} is still needed: {why}.'],

  ALREADY_PUBLISHED: [400, 'The article is published already.'],
  ALREADY_UNPUBLISHED: [400, 'The article is not published.'],

  SERVICE_UNAVAILABLE: [503, 'The service cannot do this at the moment: {why}. Try again shortly.'],
  STORAGE_FULL: [503, 'The storage is full; nothing was stored.'],
  INTERNAL_ERROR: [500, 'Something went wrong in the service; its log has the details under this request ID.'],
} as const

export type ErrorCode = keyof typeof catalogue
type ErrorStatus = (typeof catalogue)[ErrorCode][0]

/** Details of a validation error: dotted field path (`_root` for the whole body) → messages. */
export type FieldErrors = Record<string, string[]>

interface AppErrorOptions {
  /** Instead of the sentence of the catalogue, where that would not be true. */
  message?: string
  details?: unknown
  cause?: unknown
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
}

/** A failure that the caller is told about. Anything else that is thrown is our bug and answers INTERNAL_ERROR. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, fill: Record<string, string | number> = {}, options: AppErrorOptions = {}) {
    const [status, sentence] = catalogue[code]
    super(options.message ?? sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? name)), {
      cause: options.cause,
    })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** One or more fields of the request are wrong. */
export function validationError(fields: FieldErrors): AppError {
  return new AppError('VALIDATION_ERROR', {}, { details: fields })
}

/** The ID in the path names nothing in this account. */
export function notFound(resource: string): AppError {
  return new AppError('NOT_FOUND', { resource })
}
