import { TextInput, type TextInputProps } from '@mantine/core'
import { use } from 'react'
import { parseTimestamp } from '../../lib/format.ts'
import { fromZoneTime, toZoneTime } from '../../lib/zone-time.ts'
import { TimeZoneContext } from '../time.tsx'

interface MomentInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** As the service writes a moment; null for none. */
  value?: string | null
  onChange?: (value: string | null) => void
}

/** A date and time of day by the account's clock. Emptied: none. */
export function MomentInput({ value, onChange, ...more }: MomentInputProps) {
  const timeZone = use(TimeZoneContext)
  const ms = parseTimestamp(value ?? null)
  return (
    <TextInput
      type="datetime-local"
      value={ms === undefined ? '' : toZoneTime(ms, timeZone)}
      onChange={(event) => {
        const chosen = fromZoneTime(event.currentTarget.value, timeZone)
        onChange?.(chosen === undefined ? null : new Date(chosen).toISOString())
      }}
      {...more}
    />
  )
}
