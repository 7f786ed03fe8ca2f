import { Text } from '@mantine/core'
import { PercentBar } from './percent-bar.tsx'

interface WorkProgressProps {
  done: number
  /** Null: it is not known how much there is. */
  total: number | null
  /** What is on its way, for who cannot see the bar. */
  label: string
  /** How far it is, such as `240 of 1,240 rows`. */
  children: string
}

/** How far long work is, by what was counted: a bar only where it is known how much there is. */
export function WorkProgress({ done, total, label, children }: WorkProgressProps) {
  return (
    <div>
      {total !== null && total > 0 && <PercentBar percent={Math.min(100, (done / total) * 100)} label={label} />}
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </div>
  )
}
