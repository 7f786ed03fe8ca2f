import { Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { ChoiceChips } from '../forms/choice-chips.tsx'
import type { Question } from './confirm.tsx'

interface StopReasonsProps<Value extends string> {
  body: string
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}

function StopReasons<Value extends string>({ body, options, onChange }: StopReasonsProps<Value>) {
  const [value, setValue] = useState<Value>()
  const choose = (chosen: Value) => {
    // A second tap takes it back.
    const next = chosen === value ? undefined : chosen
    setValue(next)
    onChange(next)
  }
  return (
    <>
      <Text>{body}</Text>
      <Text size="sm" c="dimmed" mt="md">
        {t('Choose the failure of the print, or leave it open.')}
      </Text>
      <ChoiceChips label={t('Failure of the print')} options={options} value={value} onChoose={choose} />
    </>
  )
}

/**
 * A question before something is stopped that also asks why, which may be left open. Once it is answered with yes, `reason` gives what was
 * chosen.
 */
export function stopQuestion<Value extends string>(
  { body, ...question }: Question & { body: string },
  options: readonly { value: Value; label: string }[],
): { question: Question; reason: () => Value | undefined } {
  let chosen: Value | undefined
  return {
    question: {
      ...question,
      body: (
        <StopReasons
          body={body}
          options={options}
          onChange={(value) => {
            chosen = value
          }}
        />
      ),
    },
    reason: () => chosen,
  }
}
