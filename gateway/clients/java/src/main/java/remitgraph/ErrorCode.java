package remitgraph;

/** The codes of the three documents, and two of the client's own. The page of errors says what to do about each. */
public final class ErrorCode {
    /** No answer came, and it is unknown whether the server has acted. */
    public static final String CONNECTION_LOST = "CONNECTION_LOST";
    /** The answer is not one of the product; a proxy may have written it. */
    public static final String UNEXPECTED_ANSWER = "UNEXPECTED_ANSWER";

    public static final String AMBIGUOUS_ENVIRONMENT = "AMBIGUOUS_ENVIRONMENT";
    public static final String API_FEATURE_NOT_ENABLED = "API_FEATURE_NOT_ENABLED";
    public static final String BAD_REQUEST = "BAD_REQUEST";
    public static final String CARD_VERIFICATION_ERROR = "CARD_VERIFICATION_ERROR";
    public static final String CORRIDOR_UNRESOLVABLE = "CORRIDOR_UNRESOLVABLE";
    public static final String DATA_REQUEST_ALREADY_FULFILLED = "DATA_REQUEST_ALREADY_FULFILLED";
    public static final String DATA_REQUEST_NOT_FOUND = "DATA_REQUEST_NOT_FOUND";
    public static final String ERROR_CARD_VERIFICATION = "ERROR_CARD_VERIFICATION";
    public static final String ERROR_CIP_NOT_COMPLETED = "ERROR_CIP_NOT_COMPLETED";
    public static final String ERROR_CIP_NOT_FOUND = "ERROR_CIP_NOT_FOUND";
    public static final String ERROR_CONTACT_NOT_FOUND = "ERROR_CONTACT_NOT_FOUND";
    public static final String ERROR_CORRELATION_ID_ALREADY_USED = "ERROR_CORRELATION_ID_ALREADY_USED";
    public static final String ERROR_CORRELATION_ID_REQUIRED = "ERROR_CORRELATION_ID_REQUIRED";
    public static final String ERROR_COUNTRY_NOT_SUPPORTED = "ERROR_COUNTRY_NOT_SUPPORTED";
    public static final String ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED = "ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED";
    public static final String ERROR_ERROR_ADD_SOURCE_UBN_ERROR = "ERROR_ERROR_ADD_SOURCE_UBN_ERROR";
    public static final String ERROR_INTERNAL_SERVER_ERROR = "ERROR_INTERNAL_SERVER_ERROR";
    public static final String ERROR_INVALID_AMOUNT_ERROR = "ERROR_INVALID_AMOUNT_ERROR";
    public static final String ERROR_INVALID_COUNTRY_CODE = "ERROR_INVALID_COUNTRY_CODE";
    public static final String ERROR_INVALID_CURRENCY_CODE = "ERROR_INVALID_CURRENCY_CODE";
    public static final String ERROR_INVALID_DATE_OF_BIRTH = "ERROR_INVALID_DATE_OF_BIRTH";
    public static final String ERROR_INVALID_OPERATION = "ERROR_INVALID_OPERATION";
    public static final String ERROR_INVALID_PARTNER_TOKEN = "ERROR_INVALID_PARTNER_TOKEN";
    public static final String ERROR_MUST_PERFORM_LEVEL_ONE_FIRST = "ERROR_MUST_PERFORM_LEVEL_ONE_FIRST";
    public static final String ERROR_OPERATION_ALREADY_COMPLETED = "ERROR_OPERATION_ALREADY_COMPLETED";
    public static final String ERROR_OPERATION_NOT_FOUND = "ERROR_OPERATION_NOT_FOUND";
    public static final String ERROR_PAYMENT_METHOD_NOT_FOUND = "ERROR_PAYMENT_METHOD_NOT_FOUND";
    public static final String ERROR_PHONE_NUMBER_NOT_SUPPORTED = "ERROR_PHONE_NUMBER_NOT_SUPPORTED";
    public static final String ERROR_REQUEST_MONEY_FULL = "ERROR_REQUEST_MONEY_FULL";
    public static final String ERROR_SUBSCRIBER_NOT_FOUND = "ERROR_SUBSCRIBER_NOT_FOUND";
    public static final String ERROR_TENANT_NOT_FOUND = "ERROR_TENANT_NOT_FOUND";
    public static final String ERROR_UBN_NUMBER_REQUIRED = "ERROR_UBN_NUMBER_REQUIRED";
    public static final String FLOW_NOT_ALLOWED = "FLOW_NOT_ALLOWED";
    public static final String FORBIDDEN = "FORBIDDEN";
    public static final String IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED";
    public static final String IDENTITY_VALIDATOR_BAD_RESPONSE = "IDENTITY_VALIDATOR_BAD_RESPONSE";
    public static final String IDENTITY_VALIDATOR_NOT_CONFIGURED = "IDENTITY_VALIDATOR_NOT_CONFIGURED";
    public static final String IDENTITY_VALIDATOR_TIMEOUT = "IDENTITY_VALIDATOR_TIMEOUT";
    public static final String IDENTITY_VALIDATOR_UNAVAILABLE = "IDENTITY_VALIDATOR_UNAVAILABLE";
    public static final String INSUFFICIENT_SCOPE = "INSUFFICIENT_SCOPE";
    public static final String INSUFFICIENT_USER_DATA = "INSUFFICIENT_USER_DATA";
    public static final String INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR";
    public static final String INVALID_API_KEY = "INVALID_API_KEY";
    public static final String INVALID_NAME = "INVALID_NAME";
    public static final String INVALID_PHONE_NUMBER = "INVALID_PHONE_NUMBER";
    public static final String INVALID_REQUEST = "INVALID_REQUEST";
    public static final String INVALID_TRANSITION = "INVALID_TRANSITION";
    public static final String LEGACY_REFERENCE_EXISTS = "LEGACY_REFERENCE_EXISTS";
    public static final String LINK_ALREADY_REVOKED = "LINK_ALREADY_REVOKED";
    public static final String LINK_NOT_FOUND = "LINK_NOT_FOUND";
    public static final String LINK_REVOKED = "LINK_REVOKED";
    public static final String MISSING_API_KEY = "MISSING_API_KEY";
    public static final String NOT_FOUND = "NOT_FOUND";
    public static final String NO_PRICE = "NO_PRICE";
    public static final String OFAC_HIT = "OFAC_HIT";
    public static final String OPERATION_NOT_FOUND = "OPERATION_NOT_FOUND";
    public static final String PAYER_REQUEST_WITHDRAWN = "PAYER_REQUEST_WITHDRAWN";
    public static final String PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE";
    public static final String PAYOUT_METHOD_UNSUPPORTED = "PAYOUT_METHOD_UNSUPPORTED";
    public static final String PROVIDER_NOT_CONFIGURED = "PROVIDER_NOT_CONFIGURED";
    public static final String RATE_LIMITED = "RATE_LIMITED";
    public static final String RATE_STALE = "RATE_STALE";
    public static final String REFERENCE_MISMATCH = "REFERENCE_MISMATCH";
    public static final String REQUEST_MONEY_NOT_FOUND = "REQUEST_MONEY_NOT_FOUND";
    public static final String ROUTE_NOT_AVAILABLE = "ROUTE_NOT_AVAILABLE";
    public static final String SANDBOX_ONLY = "SANDBOX_ONLY";
    public static final String SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE";
    public static final String STATEMENT_NOT_FOUND = "STATEMENT_NOT_FOUND";
    public static final String STATE_NOT_MAPPED = "STATE_NOT_MAPPED";
    public static final String UNAUTHENTICATED = "UNAUTHENTICATED";
    public static final String UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE";
    public static final String USER_BLOCKED = "USER_BLOCKED";
    public static final String USER_ERASED = "USER_ERASED";
    public static final String USER_NOT_FOUND = "USER_NOT_FOUND";
    public static final String USER_TENANT_MISMATCH = "USER_TENANT_MISMATCH";
    public static final String VALIDATION_FAILED = "VALIDATION_FAILED";

    private ErrorCode() {}
}
