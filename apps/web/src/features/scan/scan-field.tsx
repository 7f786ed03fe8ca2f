import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t, tc } from '../../lib/i18n/t.ts'
import { scannedId } from './scanned-id.ts'
import './scan-field.css'

/** Where a hand scanner types, ending with Enter, and where a person may paste an address or an ID. */
interface ScanFieldProps {
  onId: (id: string) => void
  /** Of anything but a label; answers what is wrong with it. */
  onOther: (text: string) => Promise<string | undefined>
}

export function ScanField({ onId, onOther }: ScanFieldProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    const id = scannedId(text)
    setText('')
    setProblem(undefined)
    if (id === undefined) void onOther(text.trim()).then(setProblem)
    else onId(id)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t('Scanned code')}
          description={t('A hand scanner or a reader of tags types here; the address or the ID on a label does, too')}
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
