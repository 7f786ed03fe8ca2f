import type { Tone } from './tone.ts'

// One shape per tone, so that the states differ without colour.
const shapes: Record<Tone, string> = {
  working: 'M4 2.5v11l9-5.5z',
  waiting: 'M4 2.5h3v11H4zm5 0h3v11H9z',
  resting: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zm0 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  done: 'M6.3 13.2 1.6 8.5l1.7-1.7 3 3 6.4-6.5 1.7 1.8z',
  trouble: 'M8 1 15.5 14.5H.5zM7.1 5.8v4.4h1.8V5.8zm0 5.6v1.8h1.8v-1.8z',
  away: 'M3.2 1.8 8 6.6l4.8-4.8 1.4 1.4L9.4 8l4.8 4.8-1.4 1.4L8 9.4l-4.8 4.8-1.4-1.4L6.6 8 1.8 3.2z',
  unknown: 'M2 7h3v2H2zm4.5 0h3v2h-3zM11 7h3v2h-3z',
}

export function StatusMark({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={`mark tone-${tone}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={shapes[tone]} fillRule="evenodd" fill="currentColor" />
      </svg>
      {word}
    </span>
  )
}
