import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/tone.ts'
import './need-list.css'

interface NeedRowProps extends ComponentPropsWithRef<'a'> {
  icon: IconName
  tone: Extract<Tone, 'trouble' | 'waiting' | 'away'>
  /** The thing: a printer, a job, a hub. */
  name: string
  /** What is with it. */
  sentence: string
}

/** One thing that waits for a person, leading to where it is done. */
export const NeedRow = createLink(({ icon, tone, name, sentence, ...anchor }: NeedRowProps) => (
  <a {...anchor} className="need-row" data-tone={tone}>
    <Icon name={icon} />
    <div>
      <b>{name}</b>
      <span>{sentence}</span>
    </div>
    <Icon name="chevron" size={16} />
  </a>
))
