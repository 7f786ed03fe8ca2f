import { apiPrefix } from './api-client.ts'

/** The picture of a print file; another address after every change of the file. */
export const thumbnailAddress = ({ id, updated_at }: { id: string; updated_at: string }) =>
  `${apiPrefix}/files/${encodeURIComponent(id)}/thumbnail?at=${Date.parse(updated_at)}`
