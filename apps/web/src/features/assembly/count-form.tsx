import { ActionIcon, Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { AssemblyTaskDetail } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useCompleteAssembly } from './assembly.api.ts'
import { unitsLeft } from './assembly-words.ts'
import './count-form.css'

/** How many units were put together just now, and how many turned out bad. Made for thumbs at a bench. */
export function CountForm({ task }: { task: AssemblyTaskDetail }) {
  const left = unitsLeft(task)
  const [good, setGood] = useState<number>()
  const [bad, setBad] = useState(0)
  const [notes, setNotes] = useState('')
  const complete = useCompleteAssembly(task.id)
  const completed = Math.min(good ?? left - bad, left - bad)
  const isTooMany = completed + bad > left || completed < 0

  const book = () =>
    complete.mutate(
      { quantity_completed: completed, quantity_rejected: bad, ...(notes.trim() !== '' && { notes: notes.trim() }) },
      {
        onSuccess: () => {
          toastDone(bookedWords(completed, bad))
          setGood(undefined)
          setBad(0)
          setNotes('')
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        book()
      }}
    >
      <Stack gap="sm">
        <FormProblem problem={complete.error ?? undefined} />
        <Step label={t('Put together')} value={completed} most={left - bad} onChange={setGood} />
        <Step
          label={t('Rejected')}
          value={bad}
          most={left}
          onChange={(value) => {
            setBad(value)
            setGood((now) => (now === undefined ? undefined : Math.min(now, left - value)))
          }}
        />
        {bad > 0 && (
          <Textarea
            label={t('Defects of the rejected units')}
            autosize
            minRows={2}
            maxLength={2000}
            value={notes}
            onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          />
        )}
        <Group gap="sm">
          <Button
            type="submit"
            size="md"
            leftSection={<Icon name="check" size={18} />}
            loading={complete.isPending}
            disabled={isTooMany || completed + bad === 0}
          >
            {t('Book {completed, plural, one {# unit} other {# units}}', { completed: completed + bad })}
          </Button>
          <Text size="sm" c="dimmed">
            {left - completed - bad === 0
              ? t('Then the task is done.')
              : t('Then {left} are left.', { left: formatCount(left - completed - bad) })}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

interface StepProps {
  label: string
  value: number
  most: number
  onChange: (value: number) => void
}

function Step({ label, value, most, onChange }: StepProps) {
  const set = (next: number) => onChange(Math.min(Math.max(0, next), Math.max(0, most)))
  return (
    <div className="count-step">
      <ActionIcon
        variant="default"
        size="xl"
        aria-label={t('One fewer: {label}', { label })}
        disabled={value <= 0}
        onClick={() => set(value - 1)}
      >
        −
      </ActionIcon>
      <NumberInput
        label={label}
        value={value}
        min={0}
        max={most}
        allowDecimal={false}
        hideControls
        size="md"
        onChange={(next) => set(Number(next))}
      />
      <ActionIcon
        variant="default"
        size="xl"
        aria-label={t('One more: {label}', { label })}
        disabled={value >= most}
        onClick={() => set(value + 1)}
      >
        <Icon name="plus" size={18} />
      </ActionIcon>
    </div>
  )
}

/** `3 units are in stock, 1 is rejected` */
function bookedWords(completed: number, bad: number): string {
  const parts = [
    ...(completed > 0 ? [t('{completed, plural, one {# unit is} other {# units are}} in stock', { completed })] : []),
    ...(bad > 0 ? [t('{bad, plural, one {# unit is} other {# units are}} rejected', { bad })] : []),
  ]
  return parts.join(', ')
}
