import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t, tc } from '../../lib/i18n/t.ts'
import { scannedId } from './scanned-id.ts'
import './scan-field.css'

/** Where a hand scanner types, ending with Enter, and where a person may paste an address or an ID. */
export function ScanField({ onId }: { onId: (id: string) => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    const id = scannedId(text)
    setText('')
    if (id === undefined) return setProblem(t('“{text}” is no label of this farm.', { text: text.trim() }))
    setProblem(undefined)
    onId(id)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t('Scanned code')}
          description={t('A hand scanner types here; the address or the ID on a label does, too')}
          className="grow"
          size="md"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          autoFocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={problem}
          inputWrapperOrder={['label', 'description', 'error', 'input']}
        />
        <Button type="submit" size="md" disabled={text.trim() === ''}>
          {tc('button', 'Open')}
        </Button>
      </Group>
    </form>
  )
}
