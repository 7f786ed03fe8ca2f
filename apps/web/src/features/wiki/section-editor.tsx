import { ActionIcon, Button, FileButton, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { addressOfPicture } from '../../ui/article/safe-addresses.ts'
import { Icon } from '../../ui/icon.tsx'
import { SentProgress } from '../../ui/lists/sent-progress.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { EditedSection } from './edited-article.ts'
import { pictureTypes, usePictures } from './picture-input.ts'
import './section-editor.css'

const types: { value: EditedSection['type']; label: string }[] = [
  { value: 'step', label: t('Step') },
  { value: 'note', label: t('Note') },
  { value: 'warning', label: t('Warning') },
  { value: 'subtitle', label: t('Heading') },
]

interface SectionEditorProps {
  articleId: string
  section: EditedSection
  /** Counted from 1. */
  place: number
  count: number
  onChange: (section: EditedSection) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One section of an article, with its picture beside the text. */
export function SectionEditor({ articleId, section, place, count, onChange, onMove, onRemove }: SectionEditorProps) {
  const set = (change: Partial<EditedSection>) => onChange({ ...section, ...change })
  const pictures = usePictures(articleId, (address) => set({ image_url: address }))
  const shown = addressOfPicture(section.image_url)
  return (
    <Panel
      title={t('Section {place}', { place })}
      actions={
        <Group gap={4}>
          <ActionIcon
            aria-label={t('Move section {place} up', { place })}
            disabled={place === 1}
            onClick={() => onMove(-1)}
          >
            <Icon name="up" size={18} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('Move section {place} down', { place })}
            disabled={place === count}
            onClick={() => onMove(1)}
          >
            <Icon name="down" size={18} />
          </ActionIcon>
          <ActionIcon aria-label={t('Remove section {place}', { place })} onClick={onRemove}>
            <Icon name="trash" size={18} />
          </ActionIcon>
        </Group>
      }
    >
      <div className="section-edited" {...pictures.handlers}>
        <Stack gap="xs">
          <Group grow align="start">
            <Select
              label={t('Kind')}
              data={types}
              value={section.type}
              allowDeselect={false}
              onChange={(type) => set({ type: types.find(({ value }) => value === type)?.value ?? section.type })}
            />
            <TextInput
              label={t('Heading')}
              maxLength={200}
              value={section.title}
              onChange={({ currentTarget }) => set({ title: currentTarget.value })}
            />
          </Group>
          <Textarea
            label={t('Text')}
            autosize
            minRows={2}
            maxRows={16}
            maxLength={50_000}
            value={section.content}
            onChange={({ currentTarget }) => set({ content: currentTarget.value })}
          />
          <Textarea
            label={t('Warnings, one a line')}
            autosize
            minRows={1}
            value={section.warnings.join('\n')}
            onChange={({ currentTarget: { value } }) => set({ warnings: value === '' ? [] : value.split('\n') })}
          />
        </Stack>
        <div className="section-picture">
          {shown === undefined ? (
            <p>{t('Paste or drop a picture')}</p>
          ) : (
            <img src={`${shown.replace(/\/thumb$/, '')}/thumb`} alt={t('Section {place}', { place })} />
          )}
          <Group gap="xs">
            <FileButton accept={pictureTypes} onChange={(file) => file && void pictures.send([file])}>
              {(props) => (
                <Button
                  {...props}
                  size="xs"
                  variant="default"
                  loading={pictures.sending !== undefined}
                  aria-label={
                    section.image_url === ''
                      ? t('Add a picture to section {place}', { place })
                      : t('Change the picture of section {place}', { place })
                  }
                >
                  {section.image_url === '' ? t('Add a picture') : t('Change')}
                </Button>
              )}
            </FileButton>
            {section.image_url !== '' && (
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={t('Take it off: the picture of section {place}', { place })}
                onClick={() => set({ image_url: '' })}
              >
                {t('Take it off')}
              </Button>
            )}
          </Group>
          <SentProgress sending={pictures.sending} />
        </div>
      </div>
    </Panel>
  )
}
