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
  onComplete: () => ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true }),
});
