import type { SVGProps } from 'react'

/** Strokes on a field of 24 × 24. */
const shapes = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  printer: 'M4 3h16v18H4zM4 8h16M9 8v3h6V8M12 11v3M8 18h8',
  wall: 'M3 4h18v12H3zM8 20h8M12 16v4M9 4v12M15 4v12M3 10h18',
  queue: 'M4 6h16M4 12h16M4 18h10M18 15v6l3-3z',
  history: 'M12 7v5l3 2M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8M3.5 3.5V8H8',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7',
  hub: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v6M12 15v6M4.5 7.5 9.4 10.4M14.6 13.6l4.9 2.9',
  worklist: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M11 6h9M11 12h9M11 18h9',
  label: 'M3 12V4h8l10 10-8 8zM7.5 8.5h.01',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  product: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  stock: 'M3 9l9-5 9 5v11H3zM7 20v-8h10v8M7 16h10',
  order: 'M5 5h2l2 11h9l2-8H8M10 20h.01M17 20h.01',
  chart: 'M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-8',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  spool: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v6M12 15v6M3 12h6M15 12h6',
  assembly: 'M4 4h7v7H4zM13 13h7v7h-7zM15 4h5v5h-5zM7.5 11v5.5H13',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 3.6-6 8-6s8 2 8 6',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c0-3.5 2.9-5 6.5-5s6.5 1.5 6.5 5M16 5.200a3.5 3.5 0 0 1 0 6.600M18 15.300c2.2.6 3.5 2.1 3.5 4.7',
  key: 'M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 12.5 4 20v1h4v-3h3v-3M16 8h.01',
  account: 'M4 21V4h10v17M14 9h6v12M7 8h4M7 12h4M7 16h4M2 21h20',
  audit: 'M12 3l8 3v6c0 4.5-3.3 7.8-8 9-4.7-1.2-8-4.5-8-9V6zM9 12l2 2 4-4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.6 19 19M5 19l1.4-1.400M17.6 6.4 19 5',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z',
  device: 'M3 4h18v12H3zM8 20h8M12 16v4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  back: 'M20 12H4M10 6l-6 6 6 6',
  forth: 'M4 12h16M14 6l6 6-6 6',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  stop: 'M6 6h12v12H6z',
  retry: 'M20 12a8 8 0 1 1-2.5-5.800L20 8.500M20 3.500v5h-5',
  warning: 'M12 4 2.500 20h19zM12 10v4M12 17h.01',
  unknown: 'M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 17.500h.01',
  away: 'M3 3l18 18M8.5 16a5 5 0 0 1 6 0M5 12.500a10 10 0 0 1 4-2.300M19 12.500a10 10 0 0 0-5-2.600M12 19.500h.01',
  idle: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.500a2.5 2.5 0 1 1 3.7 2.200c-.8.5-1.2 1-1.2 2M12 17h.01',
  leave: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 16v4h16v-4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  edit: 'M4 20h4L20 8l-4-4L4 16zM13 7l4 4',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  camera: 'M3 7h4l2-3h6l2 3h4v13H3zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z',
} as const

export type IconName = keyof typeof shapes

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'name'> {
  name: IconName
  size?: number
}

/** Decoration beside words; a control that shows nothing else needs an `aria-label` of its own. */
export function Icon({ name, size = 20, ...more }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...more}
    >
      <path d={shapes[name]} />
    </svg>
  )
}
