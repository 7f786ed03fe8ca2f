import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { thumbnailAddress } from '../../lib/api/file-addresses.ts'
import { Picture } from '../../ui/lists/picture.tsx'

interface FilePictureProps {
  file: Pick<PrintFile, 'id' | 'updated_at' | 'has_thumbnail'>
  size: 'row' | 'page'
}

/** The picture that the slicer put into a file, or a sign in its place. Its name stands beside it. */
export function FilePicture({ file, size }: FilePictureProps) {
  return <Picture address={file.has_thumbnail ? thumbnailAddress(file) : undefined} icon="file" size={size} />
}
