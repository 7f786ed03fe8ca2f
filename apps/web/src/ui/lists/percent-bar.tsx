import { Progress, Text } from '@mantine/core'
import { formatPercent } from '../../lib/format.ts'
import './percent-bar.css'

interface PercentBarProps {
  percent: number
  /** What is on its way, for who cannot see the bar. */
  label: string
  isMoving?: boolean
}

/** How far something is, as a bar and in figures. */
export function PercentBar({ percent, label, isMoving = false }: PercentBarProps) {
  return (
    <div className="percent-bar">
      <Progress.Root size="sm">
        <Progress.Section value={percent} animated={isMoving} aria-label={label} />
      </Progress.Root>
      <Text span size="sm">
        {formatPercent(percent)}
      </Text>
    </div>
  )
}
