import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { Icon } from '../../ui/icon.tsx'
import { thumbnailAddress } from './files.api.ts'
import './file-picture.css'

interface FilePictureProps {
  file: Pick<PrintFile, 'id' | 'updated_at' | 'has_thumbnail'>
  size: 'row' | 'page'
}

/** The picture that the slicer put into a file, or a sign in its place. Its name stands beside it. */
export function FilePicture({ file, size }: FilePictureProps) {
  return (
    <span className="file-picture" data-size={size}>
      {file.has_thumbnail ? (
        <img src={thumbnailAddress(file)} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon name="file" size={size === 'row' ? 20 : 48} strokeWidth={1.4} />
      )}
    </span>
  )
}
