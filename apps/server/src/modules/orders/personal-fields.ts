/**
 * The fields of an order that tell who the customer is and where they live; tracking leads to their door as well, and notes may
 * say anything. They are marked in the API description, kept out of logs and events, and emptied when the customer is to be
 * forgotten.
 */
export const personalFields = [
  'customer_name',
  'customer_email',
  'customer_phone',
  'shipping_street',
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'shipping_country',
  'tracking_number',
  'tracking_url',
  'notes',
] as const

/** The same, with what lines, shipments and jobs of an order have besides. */
export const personalFieldsBelow = [...personalFields, 'personalisation', 'failure_reason'] as const
