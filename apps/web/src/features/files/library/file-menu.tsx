import { ActionIcon, Menu } from '@mantine/core'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { contentAddress } from '../files.api.ts'
import type { FileActions } from '../use-file-actions.ts'
import { FolderIcon } from './folder-icon.tsx'

/** What a page does with one file of its list. */
export interface FileDoings {
  actions: FileActions
  onPrint: (file: PrintFile) => void
  onRename: (file: PrintFile) => void
  onTag: (file: PrintFile) => void
  onMove: (file: PrintFile) => void
}

export function FileMenu({ file, doings }: { file: PrintFile; doings: FileDoings }) {
  const { actions, onRename, onTag, onMove } = doings
  return (
    <RowMenu label={t('Actions for {name}', { name: file.name })} isBusy={actions.busyId === file.id}>
      <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => onRename(file)}>
        {t('Rename…')}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="label" size={16} />} onClick={() => onTag(file)}>
        {t('Tags…')}
      </Menu.Item>
      <Menu.Item leftSection={<FolderIcon size={16} />} onClick={() => onMove(file)}>
        {t('Move to a folder…')}
      </Menu.Item>
      <Menu.Item
        component="a"
        href={contentAddress(file.id)}
        download={file.name}
        leftSection={<Icon name="download" size={16} />}
      >
        {t('Download')}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<Icon name="trash" size={16} />} onClick={() => void actions.remove(file)}>
        {t('Delete…')}
      </Menu.Item>
    </RowMenu>
  )
}

/** All that may be done with a file by anyone who only looks. */
export function FileDownload({ file: { id, name } }: { file: Pick<PrintFile, 'id' | 'name'> }) {
  return (
    <ActionIcon component="a" href={contentAddress(id)} download={name} aria-label={t('Download {name}', { name })}>
      <Icon name="download" size={18} />
    </ActionIcon>
  )
}
