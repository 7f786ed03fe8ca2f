import { createHash } from 'node:crypto'

/** The Content-Security-Policy of a page to print: its own style and nothing else, no script, no image, nothing from elsewhere. */
export function pagePolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A text that is HTML already. */
export interface Html {
  readonly text: string
}

export const raw = (text: string): Html => ({ text })

/** Puts texts into HTML as texts: whatever a customer wrote is shown, never obeyed. */
export function html(
  template: TemplateStringsArray,
  ...parts: readonly (string | number | Html | readonly Html[])[]
): Html {
  const texts = parts.map((part) => {
    if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
    return 'text' in part ? part.text : part.map(({ text }) => text).join('')
  })
  return raw(String.raw({ raw: template }, ...texts))
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
