import { apiPrefix } from './api-client.ts'

/** The picture of a print file; another address after every change of the file. */
export const thumbnailAddress = ({ id, updated_at }: { id: string; updated_at: string }) =>
  `${apiPrefix}/files/${encodeURIComponent(id)}/thumbnail?at=${Date.parse(updated_at)}`

/** What the camera saw of a failure, as it gave it or at most 480 pixels wide. */
export const failurePictureAddress = (failureId: string, size: 'full' | 'small') =>
  `${apiPrefix}/analytics/failures/${encodeURIComponent(failureId)}/picture?size=${size}`
