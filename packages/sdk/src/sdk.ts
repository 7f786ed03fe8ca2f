/** What users of the package import. */
export type { ApiPromise, WithResponse } from './call.ts'
export { Printyard } from './client.ts'
export {
  ApiError,
  ConnectionError,
  PrintyardError,
  TimeoutError,
  UnreadableAnswerError,
  WebhookVerificationError,
} from './errors.ts'
export type {
  CandidatesMessage,
  ChangeMessage,
  HubMessage,
  LiveMessage,
  ResetMessage,
  StreamMessage,
  StreamOptions,
} from './event-stream.ts'
export type * as api from './generated/api.generated.ts'
export type { ErrorCode } from './generated/api.generated.ts'
export type { Page, Paged } from './pagination.ts'
export type { ClientOptions, RequestOptions } from './request.ts'
export type { UploadDetails } from './uploads.ts'
export { verifyWebhook, type WebhookMessage, type WebhookOptions } from './webhooks.ts'
