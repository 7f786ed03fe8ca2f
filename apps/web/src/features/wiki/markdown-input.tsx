import { Button, FileButton, Group, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { SentProgress } from '../../ui/lists/sent-progress.tsx'
import { pictureTypes, usePictures } from './picture-input.ts'

interface MarkdownInputProps {
  articleId: string
  label: string
  value: string
  onChange: (value: string) => void
}

/** A text in Markdown. Pictures that are pasted, dropped or chosen are kept, and named where the cursor is. */
export function MarkdownInput({ articleId, label, value, onChange }: MarkdownInputProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  // Several pictures may come one after another: each stands after what is there by then.
  const latest = useRef(value)
  latest.current = value
  const pictures = usePictures(articleId, (address, name) => {
    const at = field.current?.selectionEnd ?? latest.current.length
    const words = `![${name.replaceAll(/[[\]]/g, '')}](${address})\n`
    latest.current = latest.current.slice(0, at) + words + latest.current.slice(at)
    onChange(latest.current)
  })
  return (
    <div>
      <Textarea
        ref={field}
        label={label}
        autosize
        minRows={8}
        maxRows={30}
        maxLength={200_000}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...pictures.handlers}
      />
      <Group gap="sm" mt={6}>
        <FileButton multiple accept={pictureTypes} onChange={(files) => void pictures.send(files)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={pictures.sending !== undefined}
              leftSection={<Icon name="picture" size={16} />}
            >
              {t('Add pictures')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t('Markdown. Pictures can be pasted or dropped into the text.')}
        </Text>
      </Group>
      <SentProgress sending={pictures.sending} />
    </div>
  )
}
