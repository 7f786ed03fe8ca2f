import { Autocomplete, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { fileFoldersQuery } from '../files.api.ts'
import { useManyFiles } from './use-many-files.ts'

interface FolderDialogProps {
  files: readonly PrintFile[]
  onClose: () => void
}

/** Moves files to a folder, one that is there or a new one; with none to the top of the library. */
export function FolderDialog({ files, onClose }: FolderDialogProps) {
  const known = useQuery(fileFoldersQuery()).data ?? []
  const { moveAll } = useManyFiles()
  const [first] = files
  const [folder, setFolder] = useState(
    files.every((file) => file.folder === first?.folder) ? (first?.folder ?? '') : '',
  )
  const title =
    files.length === 1
      ? t('Move {name}', { name: first?.name ?? '' })
      : t('Move {count, plural, one {# file} other {# files}}', { count: files.length })
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          void moveAll(files, folder)
        }}
      >
        <Stack>
          <Autocomplete
            label={t('Folder')}
            description={t('Choose one, or type a new one such as Brackets/2026. Empty: none')}
            data={known.map((each) => each.folder)}
            value={folder}
            onChange={setFolder}
            maxLength={200}
            data-autofocus
          />
          <FormButtons label={t('Move')} isBusy={false} />
        </Stack>
      </form>
    </Modal>
  )
}
