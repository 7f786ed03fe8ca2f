import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { TagsField } from '../../../ui/forms/tags-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { fileTagsQuery } from '../files.api.ts'
import { FolderDialog } from './folder-dialog.tsx'
import { useManyFiles } from './use-many-files.ts'

interface SelectedFilesProps {
  /** All that are shown, and those of them that are selected. */
  files: readonly PrintFile[]
  chosen: readonly PrintFile[]
  onSelect: (ids: ReadonlySet<string>) => void
}

/** What is done with all files that are selected. */
export function SelectedFiles({ files, chosen, onSelect }: SelectedFilesProps) {
  const { isBusy, tagAll, untagAll, removeAll } = useManyFiles()
  const [isTagging, setTagging] = useState(false)
  const [isMoving, setMoving] = useState(false)
  if (chosen.length === 0) return null
  const theirs = [...new Set(chosen.flatMap(({ tags }) => tags))].sort()
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t('Selected files')}>
      <Text size="sm">{t('{chosen, plural, one {# file} other {# files}} selected', { chosen: chosen.length })}</Text>
      <Button size="xs" variant="default" onClick={() => onSelect(new Set())}>
        {t('Select none')}
      </Button>
      {chosen.length < files.length && (
        <Button size="xs" variant="default" onClick={() => onSelect(new Set(files.map(({ id }) => id)))}>
          {t('Select all {files} shown', { files: formatCount(files.length) })}
        </Button>
      )}
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => setTagging(true)}>
        {t('Add tags…')}
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => setMoving(true)}>
        {t('Move to a folder…')}
      </Button>
      {theirs.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" disabled={isBusy} rightSection={<Icon name="down" size={14} />}>
              {t('Remove a tag')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {theirs.map((tag) => (
              <Menu.Item key={tag} onClick={() => void untagAll(chosen, [tag])}>
                {tag}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button
        size="xs"
        color="red.9"
        disabled={isBusy}
        onClick={async () => {
          if (await removeAll(chosen)) onSelect(new Set())
        }}
      >
        {t('Delete selected…')}
      </Button>
      {isMoving && <FolderDialog files={chosen} onClose={() => setMoving(false)} />}
      {isTagging && (
        <AddTagsDialog
          count={chosen.length}
          onClose={() => setTagging(false)}
          onAdd={(tags) => {
            setTagging(false)
            void tagAll(chosen, tags)
          }}
        />
      )}
    </Group>
  )
}

interface AddTagsDialogProps {
  count: number
  onClose: () => void
  onAdd: (tags: string[]) => void
}

function AddTagsDialog({ count, onClose, onAdd }: AddTagsDialogProps) {
  const known = useQuery(fileTagsQuery()).data ?? []
  const [tags, setTags] = useState<string[]>([])
  return (
    <Modal opened onClose={onClose} title={t('Add tags to {count, plural, one {# file} other {# files}}', { count })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (tags.length > 0) onAdd(tags)
        }}
      >
        <Stack>
          <TagsField
            label={t('Tags')}
            description={t('Choose one, or type a new one and press Enter')}
            data={known.map(({ tag }) => tag)}
            value={tags}
            onChange={setTags}
            maxTags={20}
            acceptValueOnBlur
            data-autofocus
          />
          <FormButtons label={t('Add')} isBusy={false} />
        </Stack>
      </form>
    </Modal>
  )
}
