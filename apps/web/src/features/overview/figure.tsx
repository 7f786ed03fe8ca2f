import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/tone.ts'
import './figure.css'

interface FigureProps extends ComponentPropsWithRef<'a'> {
  icon: IconName
  count: number
  label: string
  tone?: Extract<Tone, 'trouble' | 'waiting' | 'working'> | undefined
}

/** A count that leads to what it counts. */
export const Figure = createLink(({ icon, count, label, tone, ...anchor }: FigureProps) => (
  <a {...anchor} className="overview-figure" data-tone={count > 0 ? tone : undefined}>
    <b>
      <Icon name={icon} size={20} strokeWidth={2.2} />
      {formatCount(count)}
    </b>
    <span>{label}</span>
  </a>
))
