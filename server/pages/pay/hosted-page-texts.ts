/** Texts of the page that opens a processor's payment form, and of the payment pages of the sandbox processor. */
export const HOSTED_PAGE_TEXTS = {
  en: {
    form: {
      title: 'Continue to the payment form',
      text: (gateway: string) =>
        `You pay on the page of the payment processor (${gateway}). The card is typed there, and not on this page.`,
      open: 'Open payment form',
      over: { title: 'This payment form cannot be opened any more', text: 'Ask the merchant to create it again.' },
    },
    sandbox: {
      title: 'Payment page of the sandbox processor',
      number: 'Card number',
      month: 'Expiry month',
      year: 'Expiry year',
      code: 'Security code',
      pay: 'Pay',
      declined: 'The card was declined. Try another card.',
      invalid: 'The card number is not valid.',
      note: 'With a live gateway, this page is on the website of its processor. Use a test card.',
      paid: { title: 'This payment was made', text: 'Thank you. The merchant is informed.' },
      closed: { title: 'This page is closed', text: 'Nothing can be paid here any more.' },
    },
  },
  es: {
    form: {
      title: 'Continuar al formulario de pago',
      text: (gateway: string) =>
        `Usted paga en la página del procesador de pagos (${gateway}). La tarjeta se escribe allí, y no en esta página.`,
      open: 'Abrir el formulario de pago',
      over: { title: 'Este formulario de pago ya no se puede abrir', text: 'Pida al comercio que lo cree de nuevo.' },
    },
    sandbox: {
      title: 'Página de pago del procesador de pruebas',
      number: 'Número de tarjeta',
      month: 'Mes de vencimiento',
      year: 'Año de vencimiento',
      code: 'Código de seguridad',
      pay: 'Pagar',
      declined: 'La tarjeta fue rechazada. Pruebe con otra tarjeta.',
      invalid: 'El número de tarjeta no es válido.',
      note: 'Con una pasarela real, esta página está en el sitio web de su procesador. Use una tarjeta de prueba.',
      paid: { title: 'Este pago se realizó', text: 'Gracias. El comercio recibe un aviso.' },
      closed: { title: 'Esta página está cerrada', text: 'Aquí ya no se puede pagar nada.' },
    },
  },
} as const;
