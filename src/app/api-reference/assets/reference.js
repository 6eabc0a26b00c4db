/* Shows the document in Swagger UI. Tokens and secrets are kept by nothing but this page. */

const place = document.getElementById('reference');

const ui = SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  oauth2RedirectUrl: place.dataset.redirect,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Cookies say nothing to the API; and where a secret is wrong, the browser would ask for a password of its own.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  onComplete: () => ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true }),
});
