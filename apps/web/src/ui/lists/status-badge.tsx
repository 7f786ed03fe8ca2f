import { Icon, type IconName } from '../icon.tsx'
import { type Tone, toneIcons } from '../tone.ts'
import './status-badge.css'

interface StatusBadgeProps {
  tone: Tone
  /** The state in a word or two: it, not the colour, carries the meaning. */
  children: string
  /** A symbol that says more than that of the tone. */
  icon?: IconName
}

/** A state: symbol, word and colour together. */
export function StatusBadge({ tone, children, icon }: StatusBadgeProps) {
  return (
    <span className="status-badge" data-tone={tone}>
      <Icon name={icon ?? toneIcons[tone]} size={14} strokeWidth={2.4} />
      {children}
    </span>
  )
}
